/** How often a pipe and its metrics are read again. */
export const refreshMs = 5000;
