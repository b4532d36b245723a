import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { startClickHouseServer } from '../kit/clickhouse-server.ts';
import { telemetrySuite } from './telemetry-suite.ts';

telemetrySuite('remote', async () => {
  const server = await startClickHouseServer();
  const telemetry = await openClickHouse({ url: server.url });
  return {
    telemetry,
    async close() {
      await telemetry.close();
      await server.close();
    },
  };
});
