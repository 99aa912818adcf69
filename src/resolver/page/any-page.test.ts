import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const read = (html: string | Buffer) =>
  readPage(Buffer.from(html as string), { url: 'https://acme.co.uk/', contentType: 'text/html; charset=utf-8' })

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Words as pages hold them, in one form already, so that what was put in can be looked for. */
const words = fc
  .array(fc.stringMatching(/^[!-~£©éŵ–’]{1,12}$/), { minLength: 1, maxLength: 8 })
  .map((list) => list.join(' '))
const wrapper = fc.constantFrom<[string, string]>(
  ['<p>', '</p>'],
  ['<p>', ''],
  ['<div><section>', '</section></div>'],
  ['<ul><li>', '</ul>'],
  ['<table><tr><td>', '</table>'],
  ['<TABLE><TR><TD>', '</TD></TR></TABLE>'],
  ['<dl><dt>', '</dl>'],
  ['<p><span><b>', '</b></span></p>'],
  ['<h2>', '</h2>'],
  ['<article><a href="/x">', '</a></article>'],
)

test('any text in any wrapping is read, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(words, wrapper), { maxLength: 12 }), (parts) => {
      const html = parts.map(([text, [before, after]]) => `${before}${escaped(text)}${after}`).join('\n')
      expect(read(html).blocks.map((block) => block.text)).toEqual(parts.map(([text]) => text))
    }),
  )
})

test('nothing inside a hidden wrapper is read', () => {
  const hidden = fc.constantFrom(
    ['<div hidden>', '</div>'],
    ['<div style="display: none">', '</div>'],
    ['<section aria-hidden="true">', '</section>'],
    ['<template>', '</template>'],
    ['<style>.no { display: none }</style><div class="a no">', '</div>'],
  )
  fc.assert(
    fc.property(hidden, fc.array(fc.tuple(words, wrapper), { maxLength: 6 }), ([open, close], parts) => {
      const inside = parts.map(([text, [before, after]]) => `${before}${escaped(text)}${after}`).join('')
      const page = read(`<p>before</p>${open}${inside}${close}<p>after</p>`)
      expect(page.blocks.map((block) => block.text)).toEqual(['before', 'after'])
      expect(page.links).toEqual([])
    }),
  )
})

const fragment = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  words,
  fc
    .tuple(
      fc.constantFrom('', '/'),
      fc.constantFrom(
        ...'p div table tr td th ul li dl dt dd a b svg script style title select template h1 form body br img'.split(
          ' ',
        ),
      ),
      fc.constantFrom(
        '',
        ' class="footer"',
        ' style="display:none"',
        ' href="/a"',
        ' itemscope itemprop=x',
        ' hidden',
        '/',
      ),
    )
    .map(([slash, tag, attributes]) => `<${slash}${tag}${attributes}>`),
  fc.constantFrom('<!--', '-->', '<![CDATA[', '&#', '&#x110000;', '<', '"', '</', '{', '@media', '\u2028', '\ud800'),
)

test('no page, however broken, throws or breaks a promise of the document', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 60 }), (fragments) => {
      const page = read(fragments.join(''))
      for (const { text, links, headings } of page.blocks) {
        expect(text).toBe(text.trim())
        expect(text).not.toMatch(/ {2}|\n{3}|[\0\t\r\u00a0\u200b\u2028]/)
        expect(text).not.toBe('')
        expect(headings.length).toBeLessThanOrEqual(3)
        for (const { start, end } of links) {
          expect(start).toBeLessThan(end)
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
          expect(end).toBeLessThanOrEqual(text.length)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('no bytes, in any charset, throw', () => {
  const contentType = fc.constantFrom(
    null,
    'text/html; charset=utf-16',
    'text/html; charset=gb18030',
    'text/plain',
    '\0',
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), contentType, fc.string(), (bytes, type, url) => {
      readPage(Buffer.from(bytes), { url, contentType: type })
    }),
  )
})
