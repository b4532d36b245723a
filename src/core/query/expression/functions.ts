import {
  numberType,
  stringType,
  booleanType,
  unknownType,
  type ValueType,
} from '../fields/value-type.ts';

/**
 * Every function a caller's expression may name, by what it gives. Pure functions of their
 * arguments, with an answer about as large as the arguments: nothing that reads (dictionaries,
 * joins, files, macros, settings, the server), waits, counts rows, changes their number, or makes
 * much out of little (`repeat`, `range`, `leftPad`, `URLHierarchy`, …). Names are ClickHouse's; the engine never
 * sees a caller's spelling, only the one written here.
 */
const byResult = {
  number: `length lengthUTF8 CHAR_LENGTH CHARACTER_LENGTH position positionCaseInsensitive
    positionUTF8 positionCaseInsensitiveUTF8 locate
    countSubstrings countSubstringsCaseInsensitive countMatches multiSearchFirstIndex
    multiSearchFirstPosition
    abs sign round roundBankers floor ceil ceiling trunc truncate sqrt cbrt exp exp2 exp10 ln log
    log2 log10 pow power sin cos tan asin acos atan atan2 sinh cosh tanh pi e degrees radians
    intDiv intDivOrZero modulo moduloOrZero positiveModulo plus minus multiply divide negate gcd lcm
    bitAnd bitOr bitXor bitNot bitShiftLeft bitShiftRight bitTest bitCount
    toInt8 toInt16 toInt32 toInt64 toUInt8 toUInt16 toUInt32 toUInt64 toFloat32 toFloat64
    toInt8OrZero toInt16OrZero toInt32OrZero toInt64OrZero toUInt8OrZero toUInt16OrZero
    toUInt32OrZero toUInt64OrZero toFloat32OrZero toFloat64OrZero
    toInt8OrNull toInt16OrNull toInt32OrNull toInt64OrNull toUInt8OrNull toUInt16OrNull
    toUInt32OrNull toUInt64OrNull toFloat32OrNull toFloat64OrNull
    toYear toQuarter toMonth toDayOfMonth toDayOfWeek toDayOfYear toHour toMinute toSecond
    toMillisecond toUnixTimestamp toUnixTimestamp64Milli toUnixTimestamp64Micro
    toUnixTimestamp64Nano toISOYear toISOWeek toYYYYMM toYYYYMMDD toYYYYMMDDhhmmss dateDiff
    date_diff age
    JSONLength JSONExtractInt JSONExtractUInt JSONExtractFloat simpleJSONExtractInt
    simpleJSONExtractUInt simpleJSONExtractFloat visitParamExtractInt visitParamExtractUInt
    visitParamExtractFloat
    indexOf arrayCount arrayUniq levenshteinDistance editDistance damerauLevenshteinDistance
    jaroSimilarity jaroWinklerSimilarity ngramDistance ngramSearch
    cityHash64 sipHash64 xxHash32 xxHash64 murmurHash2_32 murmurHash2_64 murmurHash3_32
    murmurHash3_64 farmHash64 javaHash CRC32 CRC64
    IPv4StringToNum IPv4StringToNumOrNull IPv4StringToNumOrDefault ascii widthBucket`,
  string: `lower upper lowerUTF8 upperUTF8 lcase ucase reverse reverseUTF8 trim trimLeft trimRight
    trimBoth ltrim rtrim concat concatWithSeparator substring substr mid substringUTF8
    substringIndex left right leftUTF8 rightUTF8
    replace replaceOne replaceAll replaceRegexpOne replaceRegexpAll regexpExtract REGEXP_REPLACE
    extract translate translateUTF8 initcap
    toString toStringCutToZero hex unhex base64Encode base64Decode tryBase64Decode
    encodeURLComponent decodeURLComponent encodeURLFormComponent decodeURLFormComponent
    domain domainWithoutWWW topLevelDomain firstSignificantSubdomain cutToFirstSignificantSubdomain
    protocol path pathFull queryString fragment queryStringAndFragment netloc extractURLParameter
    cutURLParameter cutQueryString cutFragment cutWWW
    formatDateTime dateName monthName JSONExtractString JSONExtractRaw simpleJSONExtractString
    simpleJSONExtractRaw visitParamExtractString visitParamExtractRaw JSON_VALUE JSONType
    arrayStringConcat IPv4NumToString IPv4NumToStringClassC IPv6NumToString MD5 SHA1 SHA256
    toTypeName formatReadableSize formatReadableQuantity formatReadableTimeDelta normalizeUTF8NFC
    toValidUTF8 soundex basename appendTrailingCharIfAbsent`,
  boolean: `equals notEquals less greater lessOrEquals greaterOrEquals and or not xor like notLike
    ilike notILike match startsWith startsWithUTF8 endsWith endsWithUTF8
    hasToken hasTokenOrNull hasTokenCaseInsensitive hasTokenCaseInsensitiveOrNull hasSubsequence
    hasSubsequenceCaseInsensitive multiSearchAny multiSearchAnyCaseInsensitive multiSearchAnyUTF8
    multiSearchAnyCaseInsensitiveUTF8
    empty notEmpty isNull isNotNull isNaN isFinite isInfinite has hasAll hasAny hasSubstr
    mapContains mapContainsKey mapContainsKeyLike arrayExists arrayAll
    JSONHas JSONExtractBool simpleJSONHas simpleJSONExtractBool visitParamHas visitParamExtractBool
    isValidJSON isValidUTF8 isIPv4String isIPv6String isIPAddressInRange toBool `,
  other: `if multiIf ifNull nullIf coalesce assumeNotNull toNullable least greatest transform
    toDate toDate32 toDateTime toDateTime64 toDateOrNull toDateOrZero toDateTimeOrNull
    toDateTimeOrZero toDateTime64OrNull toDateTime64OrZero parseDateTimeBestEffort
    parseDateTimeBestEffortOrNull parseDateTimeBestEffortOrZero parseDateTime64BestEffort
    parseDateTime64BestEffortOrNull parseDateTime parseDateTimeOrNull
    fromUnixTimestamp fromUnixTimestamp64Milli fromUnixTimestamp64Micro fromUnixTimestamp64Nano
    toTimeZone
    toStartOfSecond toStartOfMinute toStartOfFiveMinutes toStartOfTenMinutes toStartOfFifteenMinutes
    toStartOfHour toStartOfDay toStartOfWeek toStartOfMonth toStartOfQuarter toStartOfYear
    toStartOfInterval toMonday dateTrunc DATE_TRUNC toTime
    addSeconds addMinutes addHours addDays addWeeks addMonths addYears subtractSeconds
    subtractMinutes subtractHours subtractDays subtractWeeks subtractMonths subtractYears
    now now64 today yesterday toIntervalSecond toIntervalMinute toIntervalHour toIntervalDay
    toIntervalWeek toIntervalMonth toIntervalYear
    array tuple map tupleElement arrayElement arrayElementOrNull mapKeys mapValues mapFilter
    mapApply mapExtractKeyLike arrayMap arrayFilter arrayFirst arrayLast arrayFirstIndex
    arrayLastIndex arrayFirstOrNull arrayLastOrNull arraySum arrayAvg arrayMin arrayMax arrayProduct
    arrayConcat arraySlice arraySort arrayReverseSort arrayReverse arrayDistinct arrayCompact
    arrayIntersect arrayUnion arrayZip arrayPushBack arrayPushFront arrayPopBack arrayPopFront
    arrayEnumerate emptyArrayString
    splitByChar splitByString splitByRegexp splitByWhitespace splitByNonAlpha alphaTokens tokens
    extractAll extractAllGroups extractGroups extractKeyValuePairs multiSearchAllPositions
    JSONExtractKeys JSONExtractArrayRaw JSONExtractKeysAndValuesRaw
    toUUID toUUIDOrNull toUUIDOrZero toIPv4 toIPv6 toIPv4OrNull toIPv6OrNull IPv4CIDRToRange
    toDecimal32 toDecimal64 toDecimal128 toDecimal64OrNull toLowCardinality accurateCastOrNull
    identity`,
} as const;

const results: Record<keyof typeof byResult, ValueType> = {
  number: numberType,
  string: stringType,
  boolean: booleanType,
  other: unknownType,
};

/** Key: name in lower case. Value: name as written above, and type of the result. */
export type FunctionList = ReadonlyMap<string, { name: string; returns: ValueType }>;

let list: FunctionList | undefined;

/** Finds a function by its name, case-insensitively, as SQL does for its standard functions. */
export function allowedFunctions(): FunctionList {
  list ??= new Map(
    Object.entries(byResult).flatMap(([result, names]) =>
      names
        .split(/\s+/)
        .filter(Boolean)
        .map(
          (name) =>
            [
              name.toLowerCase(),
              { name, returns: results[result as keyof typeof byResult] },
            ] as const,
        ),
    ),
  );
  return list;
}

/** Functions whose result depends on the current time. Charts that use them are not cached. */
export const volatileFunctions: ReadonlySet<string> = new Set([
  'now',
  'now64',
  'today',
  'yesterday',
]);

/** Functions whose first argument may be a lambda. */
export const lambdaFunctions: ReadonlySet<string> = new Set([
  'mapFilter',
  'mapApply',
  'arrayMap',
  'arrayFilter',
  'arrayExists',
  'arrayAll',
  'arrayCount',
  'arrayFirst',
  'arrayLast',
  'arrayFirstIndex',
  'arrayLastIndex',
  'arrayFirstOrNull',
  'arrayLastOrNull',
  'arraySum',
  'arrayAvg',
  'arrayMin',
  'arrayMax',
  'arrayProduct',
  'arraySort',
  'arrayReverseSort',
]);
