/** Freeing less than this at a time costs more than it saves. */
const worthwhileBytes = 128 * 1024;
/** Smaller buffers can be part of memory that Node shares among many. */
const ownMemoryBytes = 16 * 1024;

/**
 * Frees the memory of buffers in the next turn of the event loop: a message that nobody receives
 * takes it along. Otherwise the runtime frees it some time after its last use, and collects the whole
 * heap each time that 64 MiB wait for this. Buffers that are too small for this stay as they are.
 * @param buffers of memory that nobody uses any more, not even another part of it
 */
export function freeMemory(buffers: readonly Uint8Array[]): void {
  const memory = new Set<ArrayBuffer>();
  let bytes = 0;
  for (const { buffer } of buffers) {
    if (buffer instanceof ArrayBuffer && buffer.byteLength >= ownMemoryBytes) {
      memory.add(buffer);
      bytes += buffer.byteLength;
    }
  }
  if (bytes < worthwhileBytes) {
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined, [...memory]);
  port2.close();
}
