import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeCrawlRuns } from './describe-crawl-runs.ts';
import { describePublishedRuns } from './describe-published-runs.ts';
import { describeRunParts } from './describe-run-parts.ts';
import { describeSkipViews } from './describe-skip-views.ts';

const newPostgresPlace = usePostgres();

describeCrawlRuns('SQLite', newSqlitePlace);
describeCrawlRuns('PostgreSQL', newPostgresPlace);
describePublishedRuns('SQLite', newSqlitePlace);
describePublishedRuns('PostgreSQL', newPostgresPlace);
describeSkipViews('SQLite', newSqlitePlace);
describeSkipViews('PostgreSQL', newPostgresPlace);
describeRunParts('SQLite', newSqlitePlace);
describeRunParts('PostgreSQL', newPostgresPlace);
