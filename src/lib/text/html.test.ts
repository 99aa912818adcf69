import fc from 'fast-check'
import { expect, test } from 'vitest'
import { html } from './html.ts'

test('values are text, whatever they hold; only markup is markup', () => {
  expect(html`<p>${'<script>"&\''}</p>`.markup).toBe('<p>&lt;script&gt;&quot;&amp;&#39;</p>')
  expect(html`<ul>${[html`<li>${1}</li>`, html`<li>${2}</li>`]}</ul>`.markup).toBe('<ul><li>1</li><li>2</li></ul>')
  expect(html`${null}${undefined}${false}`.markup).toBe('')
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(html`${text}`.markup).not.toMatch(/[<>"']/)
    }),
  )
})
