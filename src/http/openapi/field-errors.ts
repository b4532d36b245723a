/** Schema of one invalid field. */
export const fieldError = {
  type: 'object',
  properties: {
    path: { type: 'string', description: 'Path of the field, such as `destination.table`.' },
    message: { type: 'string', description: 'What is wrong with the value.' },
  },
  required: ['path', 'message'],
};

/** Schema of `errors` in an error response of either surface. */
export const fieldErrors = {
  type: 'array',
  description: 'Invalid fields of the request (at most 100). Present only if the status is 400.',
  items: { $ref: '#/components/schemas/FieldError' },
};
