/** The first of `names` that `name` may be a typing error of. */
export function similarName(names: readonly string[], name: string): string | undefined {
  return names.find((known) => distanceAtMostTwo(known, name));
}

/** Whether two names differ by at most two single-letter edits. */
function distanceAtMostTwo(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 2) {
    return false;
  }
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      current[column] = Math.min(
        previous[column]! + 1,
        current[column - 1]! + 1,
        previous[column - 1]! + (left[row - 1] === right[column - 1] ? 0 : 1),
      );
    }
    previous = current;
  }
  return previous[right.length]! <= 2;
}
