import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeRunLog } from './describe-run-log.ts';

const newPostgresPlace = usePostgres();

describeRunLog('SQLite', newSqlitePlace);
describeRunLog('PostgreSQL', newPostgresPlace);
