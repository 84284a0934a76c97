import { usePostgres } from '../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';
import { describeRetests } from './ports/describe-retests.ts';

const newPostgresPlace = usePostgres();

describeRetests('SQLite', newSqlitePlace);
describeRetests('PostgreSQL', newPostgresPlace);
