import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../../support/storing/stores.ts';
import { describeCrawlFindings } from './describe-crawl-findings.ts';
import { describeCrawlHolds } from './describe-crawl-holds.ts';
import { describeCrawlRaces } from './describe-crawl-races.ts';
import { describeCrawlWork } from './describe-crawl-work.ts';

const newPostgresPlace = usePostgres();

describeCrawlWork('SQLite', newSqlitePlace);
describeCrawlWork('PostgreSQL', newPostgresPlace);
describeCrawlHolds('SQLite', newSqlitePlace);
describeCrawlHolds('PostgreSQL', newPostgresPlace);
describeCrawlFindings('SQLite', newSqlitePlace);
describeCrawlFindings('PostgreSQL', newPostgresPlace);
describeCrawlRaces('SQLite', newSqlitePlace);
describeCrawlRaces('PostgreSQL', newPostgresPlace);
