import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeCorrections } from './describe-corrections.ts';

const newPostgresPlace = usePostgres();

describeCorrections('SQLite', newSqlitePlace);
describeCorrections('PostgreSQL', newPostgresPlace);
