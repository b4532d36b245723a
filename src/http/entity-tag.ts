/** The ETag of a version. Strong: the version changes with every change of the resource. */
export const entityTag = (version: number): string => `"${version}"`;

/**
 * The versions that an If-Match header accepts; undefined: any. What is not a tag of ours matches
 * nothing.
 */
export function acceptedVersions(ifMatch: string | undefined): readonly number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') {
    return undefined;
  }
  return ifMatch.split(',').flatMap((tag) => {
    const version = /^\s*"(\d{1,15})"\s*$/.exec(tag)?.[1];
    return version === undefined ? [] : [Number(version)];
  });
}
