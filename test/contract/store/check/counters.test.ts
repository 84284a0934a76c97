import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeCounterStore } from './describe-counter-store.ts';
import { describeUsesTogether } from './describe-uses-together.ts';

const newPostgresPlace = usePostgres();

describeCounterStore('SQLite', newSqlitePlace);
describeCounterStore('PostgreSQL', newPostgresPlace);
describeUsesTogether('SQLite', newSqlitePlace);
describeUsesTogether('PostgreSQL', newPostgresPlace);
