import { usePostgres } from '../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';
import { describeAttribution } from './ports/describe-attribution.ts';
import { describeAttributionTallies } from './ports/describe-attribution-tallies.ts';
import { describeJobs } from './ports/describe-jobs.ts';
import { describeSecretMark } from './ports/describe-secret-mark.ts';

const newPostgresPlace = usePostgres();

describeSecretMark('SQLite', newSqlitePlace);
describeSecretMark('PostgreSQL', newPostgresPlace);
describeJobs('SQLite', newSqlitePlace);
describeJobs('PostgreSQL', newPostgresPlace);
describeAttribution('SQLite', newSqlitePlace);
describeAttribution('PostgreSQL', newPostgresPlace);
describeAttributionTallies('SQLite', newSqlitePlace);
describeAttributionTallies('PostgreSQL', newPostgresPlace);
