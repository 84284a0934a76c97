import { useEmptyPostgres } from '../../../support/storing/postgres-places.ts';
import { newEmptySqlitePlace } from '../../../support/storing/stores.ts';
import { describeMigrations } from './describe-migrations.ts';
import { describePayeeStep } from './describe-payee-step.ts';
import { describeSkipFilterStep } from './describe-skip-filter-step.ts';

const newPostgresPlace = useEmptyPostgres();

describeMigrations('SQLite', newEmptySqlitePlace);
describeMigrations('PostgreSQL', newPostgresPlace);
describeSkipFilterStep('SQLite', newEmptySqlitePlace);
describeSkipFilterStep('PostgreSQL', newPostgresPlace);
describePayeeStep('SQLite', newEmptySqlitePlace);
describePayeeStep('PostgreSQL', newPostgresPlace);
