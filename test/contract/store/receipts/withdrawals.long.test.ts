import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeWithdrawals } from './describe-withdrawals.ts';

const newPostgresPlace = usePostgres();

describeWithdrawals('SQLite', newSqlitePlace);
describeWithdrawals('PostgreSQL', newPostgresPlace);
