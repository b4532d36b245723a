/** Tries `check` until it does not throw; after the deadline its last error stands. */
export async function eventually<T>(check: () => T | Promise<T>, deadlineMs = 10_000): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
