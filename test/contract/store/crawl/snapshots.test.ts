import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeSnapshots } from './describe-snapshots.ts';

const newPostgresPlace = usePostgres();

describeSnapshots('SQLite', newSqlitePlace);
describeSnapshots('PostgreSQL', newPostgresPlace);
