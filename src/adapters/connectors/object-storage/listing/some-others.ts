import type { ListedObject } from '../../../../ports/store/object-ledger.ts';
import { glob } from './glob.ts';
import type { ObjectAddress } from '../stores/object-address.ts';
import type { ObjectSource } from '../stores/object-source.ts';

export interface OthersOptions {
  source: Pick<ObjectSource, 'list'>;
  address: Pick<ObjectAddress, 'pattern'>;
  isWanted(object: ListedObject): boolean;
  signal: AbortSignal;
}

const namesMax = 5;
const pagesMax = 10;

/**
 * Names of a few objects that match the pattern and have content, spread over the first page of the
 * listing that has any.
 */
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
      const count = Math.min(namesMax, others.length);
      return Array.from({ length: count }, (_, index) =>
        others.at(Math.floor((index * others.length) / count)),
      ).flatMap((object) => object?.name ?? []);
    }
    if (--pagesLeft === 0) {
      break;
    }
  }
  return [];
}
