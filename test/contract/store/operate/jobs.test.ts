import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeAttribution } from './describe-attribution.ts';
import { describeAttributionTallies } from './describe-attribution-tallies.ts';
import { describeJobs } from './describe-jobs.ts';
import { describeSecretMark } from './describe-secret-mark.ts';

const newPostgresPlace = usePostgres();

describeSecretMark('SQLite', newSqlitePlace);
describeSecretMark('PostgreSQL', newPostgresPlace);
describeJobs('SQLite', newSqlitePlace);
describeJobs('PostgreSQL', newPostgresPlace);
describeAttribution('SQLite', newSqlitePlace);
describeAttribution('PostgreSQL', newPostgresPlace);
describeAttributionTallies('SQLite', newSqlitePlace);
describeAttributionTallies('PostgreSQL', newPostgresPlace);
