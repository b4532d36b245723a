import { openClickHouse } from '../../src/adapters/telemetry/clickhouse.ts';
import { onClusterText } from '../../src/adapters/telemetry/rights/user-statements.ts';
import { identifier } from '../../src/sql/sql.ts';
import { startClickHouseServer } from '../kit/clickhouse-server.ts';
import { askAddress, ownServer } from '../kit/own-servers.ts';
import { suiteDatabases, telemetrySuite } from './telemetry-suite.ts';

telemetrySuite('remote', async () => {
  const started = ownServer ? undefined : await startClickHouseServer();
  const { url, clusterName } = ownServer ?? { url: started!.url, clusterName: undefined };
  const clear = async (): Promise<void> => {
    for (const name of suiteDatabases) {
      const database = `${identifier(name).text}${onClusterText(clusterName)}`;
      await askAddress(url, `DROP DATABASE IF EXISTS ${database} SYNC`);
    }
  };
  await clear();
  const telemetry = await openClickHouse({ url, clusterName });
  return {
    telemetry,
    async close() {
      await telemetry.close();
      await clear();
      await started?.close();
    },
  };
});
