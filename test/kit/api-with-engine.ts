import { startApi, type ApiKit } from './api.ts';
import { openTestTelemetry, type TestTelemetry } from './telemetry.ts';

export interface ApiWithEngine {
  api: ApiKit;
  engine: TestTelemetry;
  stop(): Promise<void>;
}

/** Both surfaces over a real store and a real engine. One per process, as the engine is. */
export async function startApiWithEngine(): Promise<ApiWithEngine> {
  const engine = await openTestTelemetry({ database: 'telemetry' });
  const api = await startApi({ telemetry: engine.telemetry });
  return {
    api,
    engine,
    async stop() {
      await api.stop();
      await engine.close();
    },
  };
}
