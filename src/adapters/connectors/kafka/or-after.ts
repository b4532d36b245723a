/** The result of the promise, or `waits` if it takes longer than `ms`. */
export async function orAfter<T>(
  promise: Promise<T> | undefined,
  ms: number,
): Promise<T | undefined | 'waits'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'waits'>((resolve) => {
    timer = setTimeout(() => {
      resolve('waits');
    }, ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
