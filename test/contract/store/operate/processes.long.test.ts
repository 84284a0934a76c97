import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeCrashes } from '../postgres/describe-crashes.ts';
import { describeProcesses } from './describe-processes.ts';

const newPostgresPlace = usePostgres();

describeProcesses('SQLite', newSqlitePlace);
describeProcesses('PostgreSQL', newPostgresPlace);
describeCrashes({ sqlite: newSqlitePlace, postgres: newPostgresPlace });
