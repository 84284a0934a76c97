import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeTransparencyLog } from './describe-transparency-log.ts';

const newPostgresPlace = usePostgres();

describeTransparencyLog('SQLite', newSqlitePlace);
describeTransparencyLog('PostgreSQL', newPostgresPlace);
