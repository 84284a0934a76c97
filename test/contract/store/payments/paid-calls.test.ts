import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describePaidCalls } from './describe-paid-calls.ts';

const newPostgresPlace = usePostgres();

describePaidCalls('SQLite', newSqlitePlace);
describePaidCalls('PostgreSQL', newPostgresPlace);
