import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeLiveReceipts } from './describe-live-receipts.ts';

const newPostgresPlace = usePostgres();

describeLiveReceipts('SQLite', newSqlitePlace);
describeLiveReceipts('PostgreSQL', newPostgresPlace);
