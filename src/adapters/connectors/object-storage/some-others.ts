import type { ListedObject } from '../../../ports/object-ledger.ts';
import { glob } from './glob.ts';
import type { ObjectAddress } from './object-address.ts';
import type { ObjectSource } from './object-source.ts';

export interface OthersOptions {
  source: Pick<ObjectSource, 'list'>;
  address: Pick<ObjectAddress, 'pattern'>;
  isWanted(object: ListedObject): boolean;
  signal: AbortSignal;
}

const namesMax = 5;
const pagesMax = 10;

/** Names of a few objects that the pattern means and that have a content, from all over the first page of the listing that has any. */
export async function someOthers({
  source,
  address,
  isWanted,
  signal,
}: OthersOptions): Promise<string[]> {
  const { prefix, matches } = glob(address.pattern);
  let pagesLeft = pagesMax;
  for await (const page of source.list(prefix, signal)) {
    const others = page.filter(
      (object) =>
        object.bytes > 0 && !object.name.endsWith('/') && matches(object.name) && isWanted(object),
    );
    if (others.length > 0) {
      return Array.from(
        { length: Math.min(namesMax, others.length) },
        (_, index) =>
          others[Math.floor((index * others.length) / Math.min(namesMax, others.length))]!.name,
      );
    }
    if (--pagesLeft === 0) {
      break;
    }
  }
  return [];
}
