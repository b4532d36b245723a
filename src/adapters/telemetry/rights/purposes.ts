import type { EngineCall } from '../engine.ts';

/** Charts, exports and alerts only read, and somebody waits for their answer. */
export const isQuestion = ({ purpose }: EngineCall): boolean =>
  purpose === 'chart' || purpose === 'export' || purpose === 'alert';

/** Somebody waits for the statement, so that it fails when the engine hangs. All others wait longer. */
export const isAwaited = (call: EngineCall): boolean =>
  call.purpose === 'admin' || (isQuestion(call) && call.purpose !== 'export');
