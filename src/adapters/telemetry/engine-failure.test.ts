import { expect, test } from 'vitest';
import { EngineFailure } from './engine-failure.ts';

const version = ' (version 26.7.2.1 (official build))';

test.each([
  [
    `Code: 60. DB::Exception: Unknown table a.b. (UNKNOWN_TABLE)${version}\n`,
    60,
    'Code: 60. DB::Exception: Unknown table a.b. (UNKNOWN_TABLE)',
  ],
  [
    `Code: 27. DB::ParsingException: Cannot parse (version 2 of it)\nat row 3. (CANNOT_PARSE)${version}`,
    27,
    'Code: 27. DB::Exception: Cannot parse (version 2 of it)\nat row 3. (CANNOT_PARSE)',
  ],
  [
    'Code: 57. DB::Exception: There was an error on [a:9000]: ' +
      `Code: 58. DB::Exception: It is there. (EXISTS)${version}. (EXISTS)${version}`,
    57,
    'Code: 57. DB::Exception: It is there. (EXISTS)',
  ],
  [
    'std::exception. Code: 1001, type: avro::Exception, e.what() = EOF reached',
    1001,
    'std::exception. Code: 1001, type: avro::Exception, e.what() = EOF reached',
  ],
  ['<html>502 Bad Gateway</html>\n', undefined, '<html>502 Bad Gateway</html>'],
  ['', undefined, ''],
])('%s', (answer, code, message) => {
  expect(new EngineFailure(answer)).toMatchObject({ code, message });
});
