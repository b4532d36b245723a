interface Identity {
  accessKey?: object | undefined;
  iamRole?: string | undefined;
}

/**
 * Lets a new access key replace an old role, and a new role an old key: a source has one identity.
 * A change that names both, or neither, replaces nothing.
 */
export function replaceIdentity<Source extends Identity & { authentication?: string | undefined }>(
  { accessKey, iamRole }: Identity,
  merged: Source,
): Source {
  if ((accessKey === undefined) === (iamRole === undefined)) {
    return merged;
  }
  const hasMethod = merged.authentication !== undefined;
  return accessKey === undefined
    ? { ...merged, accessKey: undefined, ...(hasMethod && { authentication: 'IAM_ROLE' }) }
    : { ...merged, iamRole: undefined, ...(hasMethod && { authentication: 'IAM_USER' }) };
}
