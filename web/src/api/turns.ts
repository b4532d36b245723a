interface Waiting {
  /** Whether it goes before the others. */
  isUrgent(): boolean;
  start(): void;
}

/** Lets at most so many calls run at once; of those that wait, the urgent ones first. */
export class Turns {
  private readonly most: number;
  private readonly waiting: Waiting[] = [];
  private running = 0;

  constructor(most: number) {
    this.most = most;
  }

  /** Runs the call in its turn. A call that is aborted before its turn never starts. */
  async take<T>(call: () => Promise<T>, isUrgent: () => boolean, signal: AbortSignal): Promise<T> {
    await this.turn(isUrgent, signal);
    try {
      return await call();
    } finally {
      this.running -= 1;
      this.next();
    }
  }

  private turn(isUrgent: () => boolean, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const drop = (): void => {
        const at = this.waiting.indexOf(waiting);
        if (at >= 0) {
          this.waiting.splice(at, 1);
          reject(signal.reason);
        }
      };
      const start = (): void => {
        signal.removeEventListener('abort', drop);
        resolve();
      };
      const waiting = { isUrgent, start };
      signal.addEventListener('abort', drop);
      this.waiting.push(waiting);
      this.next();
    });
  }

  private next(): void {
    while (this.running < this.most && this.waiting.length > 0) {
      const urgent = this.waiting.findIndex((one) => one.isUrgent());
      const [one] = this.waiting.splice(Math.max(0, urgent), 1);
      this.running += 1;
      one?.start();
    }
  }
}
