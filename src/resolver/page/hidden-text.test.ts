import { describe, expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const read = (html: string) =>
  readPage(Buffer.from(html), { url: 'https://www.acme.co.uk/about/us', contentType: 'text/html; charset=utf-8' })

const texts = (html: string) => read(html).blocks.map((block) => block.text)

describe('hidden text', () => {
  test.each([
    '<p hidden>x</p>',
    '<p aria-hidden="true">x</p>',
    '<p style="display:none">x</p>',
    '<p style="DISPLAY : none !important">x</p>',
    '<p style="visibility:hidden">x</p>',
    '<p style="opacity:0">x</p>',
    '<p style="opacity: 0.0;">x</p>',
    '<p style="font-size:0">x</p>',
    '<p style="font-size:0.5px">x</p>',
    '<p style="text-indent:-9999px">x</p>',
    '<p style="position:absolute;left:-9999px">x</p>',
    '<p style="position:absolute;top:-1000em">x</p>',
    '<p style="height:0;overflow:hidden">x</p>',
    '<p style="width:1px;height:1px;overflow:hidden">x</p>',
    '<p style="clip:rect(0 0 0 0)">x</p>',
    '<p style="clip: rect(1px, 1px, 1px, 1px)">x</p>',
    '<p style="clip-path:inset(50%)">x</p>',
    '<p style="color:#fff;background:white">x</p>',
    '<p style="color:rgb(255,255,255);background-color:#FFFFFF">x</p>',
    '<style>.a{display:none}</style><p class="b a">x</p>',
    '<style>h1, .b , #a{position:absolute;left:-9999px}</style><p id="a">x</p>',
    '<style>@media screen{.a{visibility:hidden}}</style><p class="a">x</p>',
    '<style>@import "x.css"; .a{display:none}</style><p class="a">x</p>',
    '<style>/* } */.a{display:none}</style><p class="a">x</p>',
    '<style>.a{display:none}.a{color:red}</style><p class="a">x</p>',
    '<p class="a">x</p>visible<style>.a{display:none}</style>',
    '<span class="a">x</span><style>.a{display:none}</style>',
    '<div style="display:none"><p>x<ul><li>x</ul><div style="display:block">x</div></div>',
    '<div hidden><table><tr><td>x<td>x</table></div>',
    ...['template', 'script', 'style', 'noscript', 'textarea', 'select', 'button', 'iframe', 'object', 'canvas'].map(
      (tag) => `<${tag}>x</${tag}>`,
    ),
    '<svg><title>x</title><text>x</text><g><style>x</style></g></svg>',
    '<select><option>x<option>x</select>',
    '<!-- x -->',
    '<!-- <p>x -- > x --!>',
    '<![CDATA[x]]>',
    '<?php x ?>',
    '<p title="x" data-id="x" onclick="x"><img alt="x"><input value="x"></p>',
  ])('%s', (html) => {
    expect(texts(`<p>before</p>${html}<p>after</p>`).filter((text) => text !== 'visible')).toEqual(['before', 'after'])
  })

  test.each([
    '<p style="display:block">x</p>',
    '<p style="opacity:0;transform:translateY(20px)">x</p>',
    '<p style="opacity:.5">x</p>',
    '<p style="font-size:10px">x</p>',
    '<ul style="font-size:0"><li style="font-size:14px">x</ul>',
    '<div style="visibility:hidden"><p style="visibility:visible">x</p></div>',
    '<p style="text-indent:-10px">x</p>',
    '<p style="height:0">x</p>',
    '<p style="clip:rect(0, 100px, 100px, 0)">x</p>',
    '<p style="color:#fff;background:#000">x</p>',
    '<p style="color:#fff;background:#fff url(dark.png)">x</p>',
    '<p aria-hidden="false">x</p>',
    '<style>@media print{.a{display:none}}</style><p class="a">x</p>',
    '<style>@media(max-width:720px){.b{display:none}.a{display:none}}</style><p class="a">x</p>',
    '<style>.a .b{display:none}.c:hover{display:none}</style><p class="a b c">x</p>',
    '<style>.a{display:none}.a{display:block}</style><p class="a">x</p>',
    '<style>.a{display:none}</style><p class="a" style="display:block">x</p>',
    '<style>.hidden{display:none}</style><p class="hidden lg:flex">x</p>',
    '<style media="print">.a{display:none}</style><p class="a">x</p>',
    '<noscript><style>.a{display:none}</style></noscript><p class="a">x</p>',
    '<body style="display:none"><p>x</p>',
    '<svg><p>x</p>',
    '<div><svg><path/></div><p>x</p>',
    '<div><button>Menu</div><p>x</p>',
  ])('but this is seen: %s', (html) => {
    expect(texts(html)).toEqual(['x'])
  })
})

describe('text that a person can open', () => {
  test.each([
    '<a href="#m">Legal</a><div id="m" style="display:none"><p>x</p></div>',
    '<div id="m" hidden><p>x</p></div><a href="#m">Legal</a>',
    '<button data-bs-target="#m">Legal</button><div id="m" aria-hidden="true"><p>x</p></div>',
    '<button aria-controls="m"><span>Legal</span></button><div id="m" style="visibility:hidden;opacity:0"><p>x</p></div>',
    '<button popovertarget="m">Legal</button><div id="m" hidden><p>x</p></div>',
    '<a data-target="#m">Legal</a><div id="m" class="a"><p>x</p></div><style>.a{display:none}</style>',
  ])('is read: %s', (html) => {
    expect(texts(html).filter((text) => text !== 'Legal')).toEqual(['x'])
  })

  test.each([
    ['the link has no words', '<a href="#m"></a><div id="m" hidden>x</div>'],
    ['the link is hidden itself', '<a href="#m" hidden>Legal</a><div id="m" hidden>x</div>'],
    ['the link leads elsewhere', '<a href="#n">Legal</a><div id="m" hidden>x</div>'],
    ['the text stays unseen', '<a href="#m">Legal</a><div id="m" style="color:#fff;background:#fff">x</div>'],
    ['only a part of it is opened', '<a href="#m">Legal</a><div id="m" hidden><p hidden>x</p></div>'],
    ['what is around it stays hidden', '<a href="#m">Legal</a><div hidden><div id="m" hidden>x</div></div>'],
  ])('is not read if %s', (_, html) => {
    expect(texts(html).filter((text) => text !== 'Legal')).toEqual([])
  })
})
