import {
  newMemoryLedgerPlace,
  newSqliteLedgerPlace,
  usePostgresLedgers,
} from '../../support/guarding/ledger/ledger-places.ts';
import { describeLedger } from './describe-ledger.ts';
import { describeLedgerFacts } from './describe-ledger-facts.ts';
import { describeLedgerRaces } from './describe-ledger-races.ts';

const newPostgresLedgerPlace = usePostgresLedgers();

for (const describeAll of [describeLedger, describeLedgerFacts, describeLedgerRaces]) {
  describeAll('memory', newMemoryLedgerPlace);
  describeAll('SQLite', newSqliteLedgerPlace);
  describeAll('PostgreSQL', newPostgresLedgerPlace);
}
