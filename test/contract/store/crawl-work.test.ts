import { usePostgres } from '../../support/storing/postgres-places.ts';
import { newSqlitePlace } from '../../support/storing/stores.ts';
import { describeCrawlFindings } from './ports/describe-crawl-findings.ts';
import { describeCrawlHolds } from './ports/describe-crawl-holds.ts';
import { describeCrawlRaces } from './ports/describe-crawl-races.ts';
import { describeCrawlWork } from './ports/describe-crawl-work.ts';

const newPostgresPlace = usePostgres();

describeCrawlWork('SQLite', newSqlitePlace);
describeCrawlWork('PostgreSQL', newPostgresPlace);
describeCrawlHolds('SQLite', newSqlitePlace);
describeCrawlHolds('PostgreSQL', newPostgresPlace);
describeCrawlFindings('SQLite', newSqlitePlace);
describeCrawlFindings('PostgreSQL', newPostgresPlace);
describeCrawlRaces('SQLite', newSqlitePlace);
describeCrawlRaces('PostgreSQL', newPostgresPlace);
