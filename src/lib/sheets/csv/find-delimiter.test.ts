import { expect, test } from 'vitest'
import { findDelimiter } from './find-delimiter.ts'

test.each([
  ['a,b\n1,2\n', ','],
  ['a;b\n1,5;2\n2,5;3\n', ';'],
  ['a\tb, c\n1\t2, 3\n', '\t'],
  ['a|b\n1|2\n', '|'],
  ['Name;Address\nAcme;1 High St, Leeds, UK\nBravo;2 High St, Hull, UK\n', ';'],
  ['"a","b;c"\n"d","e;f"\n', ','],
  ['"first","second"\n""\n""\n""\n', ','],
  ['Name\nSmith, Jones Ltd\nAcme Ltd\nBravo Ltd\n', null],
  ['one column\nonly\n', null],
  ['a,b', ','],
  ['"a\n,b";c\n"d";e\n', ';'],
  ['a;"B" Ltd;c, d\ne;f;g, h\ni;j;k, l\nm;n;o, p\nq;r;s, t\nu;v;w, x\n', ';'],
])('%j is split at %j', (text, delimiter) => {
  expect(findDelimiter(text)).toBe(delimiter)
})
