/** Parts of a request outside its body, as no client should send them. */

export const MEDIA_TYPES = [
  '',
  'text/plain text/csv text/html application/xml application/json; APPLICATION/JSON json / application/'.split(' '),
  'application/vnd.api+json application/x-www-form-urlencoded multipart/form-data'.split(' '),
  'application/json; charset=utf-16',
  'application/json; charset=nonsense',
  'application/json, application/json',
  'multipart/form-data; boundary=x',
  `application/json; ${'x'.repeat(4_000)}`,
].flat()

export const RAW_PATHS = [
  '/ // /.. /../../ /%2e%2e/%2e%2e/etc/passwd ..%2f..%2fetc%2fpasswd /. ;a=b * {id} :id #fragment'.split(' '),
  '% %zz %c0%ae%c0%ae %ff%fe %00 %E2%28%A1 %ed%a0%80'.split(' '),
  ['\\..\\', '|^`"<>', `/${'a'.repeat(200)}`, 'a'.repeat(6_000), '/a'.repeat(2_000)],
].flat()

export const HEADERS: ReadonlyArray<[string, readonly string[]]> = [
  ['accept', ['text/html', '*/*;q=0', 'nonsense', 'a/b,'.repeat(500), 'text/event-stream', '']],
  ['accept-encoding', ['gzip', 'identity;q=0', '*;q=0', 'zstd, br']],
  ['accept-language', ['zz-ZZ', '*', 'x'.repeat(3_000)]],
  ['prefer', ['wait=1', 'wait=-1', 'wait=999999', 'wait=1e3', 'wait="', 'respond-async, wait=x', 'wait='.repeat(600)]],
  ['idempotency-key', ['', '"', 'é', ' ', '"a"', 'k'.repeat(255), 'k'.repeat(256), '__proto__', 'same-for-all']],
  ['origin', ['null', 'https://evil.example', 'http://', 'x'.repeat(2_000)]],
  ['sec-fetch-site', ['cross-site', 'same-origin', 'nonsense']],
  ['referer', ['https://evil.example/', '\\\\']],
  [
    'x-forwarded-for',
    ['nonsense', '::1', '127.0.0.1, 10.0.0.1', '999.1.1.1', 'fe80::1%eth0', ','.repeat(500), '::ffff:1.2.3.4'],
  ],
  ['x-forwarded-host', ['evil.example', 'localhost:1, evil']],
  ['x-forwarded-proto', ['https', 'javascript', 'a,b']],
  ['x-request-id', ['', 'x'.repeat(129), '<script>', 'same', '{"a":1}']],
  ['x-http-method-override', ['DELETE']],
  ['traceparent', ['00-0-0-0', 'nonsense', `00-${'f'.repeat(32)}-${'f'.repeat(16)}-ff`]],
  ['cookie', ['session=', 'session=a; session=b', '=;=;', '__proto__=1', `a=${'x'.repeat(6_000)}`, 'a="', 'a=%zz']],
  ['range', ['bytes=0-0', 'bytes=9-1']],
  ['if-none-match', ['*', '"x"']],
  ['mcp-protocol-version', ['1999-01-01', '2025-06-18', 'x']],
  ['mcp-session-id', ['x', 'é']],
  ['x-long', ['x'.repeat(9_000), 'x'.repeat(20_000)]],
  ['te', ['trailers', 'chunked']],
]

export const CREDENTIALS: ReadonlyArray<[string, readonly string[]]> = [
  ['x-api-key', ['', 'KEY,KEY', ' KEY', 'KEYx', 'np_live_', `np_live_${'0'.repeat(39)}`, 'x'.repeat(5_000), 'TOKEN']],
  [
    'authorization',
    [
      'Bearer|Bearer |Bearer ..|Bearer TOKENx|Bearer TOKEN TOKEN|TOKEN|Bearer KEY|Basic KEY|Basic OjpfOg==|DPoP x'.split(
        '|',
      ),
      'Bearer eyJhbGciOiJub25lIn0.e30.',
      'Bearer eyJhbGciOiJub25lIiwia2lkIjoiX19wcm90b19fIn0.e30.x',
      `Bearer ${'a.'.repeat(2_000)}`,
    ].flat(),
  ],
  ['cookie', ['session=TOKENx', 'session="TOKEN"', 'session=TOKEN; session=x', '__Host-session=TOKEN', 'session=%00']],
]
