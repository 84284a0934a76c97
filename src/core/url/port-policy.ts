/**
 * The address rules are the protection; ports only keep the prober from knocking on other people's mail servers and
 * databases. Sellers do use high ports, so everything above 1023 is open except well-known services.
 */
export function isWebPort(port: number): boolean {
  if (port === 80 || port === 443) return true;
  return port >= 1024 && port <= 65_535 && !FETCH_BAD_PORTS.has(port) && !OTHER_SERVICES.has(port);
}

/** The ports above 1023 that the fetch standard refuses. */
const FETCH_BAD_PORTS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10_080,
]);

/** Databases, queues, remote desktops and orchestration interfaces. */
const OTHER_SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 2375, 2376, 2379, 2380, 3306, 3389, 5432, 5672, 5900, 5984, 6379, 6443, 8500, 9042, 9092, 9200,
  9300, 10_250, 11_211, 15_672, 27_017, 50_070,
]);
