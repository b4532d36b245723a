import { bucketFor, type Bucket } from '../../view/buckets.ts';
import type { Span } from '../../view/time-range.ts';

const bucketsMax = 120;

/** The shortest buckets that are not too many for a histogram of the range. */
export const bucketOf = (span: Span): Bucket => bucketFor(span, bucketsMax);
