import { describe, expect, test } from 'vitest'
import { readPage } from './read-page.ts'

const read = (html: string) =>
  readPage(Buffer.from(html), { url: 'https://www.acme.co.uk/about/us', contentType: 'text/html; charset=utf-8' })

describe('regions', () => {
  test.each([
    ['footer', '<footer>'],
    ['footer', '<div role="contentinfo">'],
    ['footer', '<div id="SITE_FOOTER">'],
    ['footer', '<div class="row comp-footer-bar">'],
    ['footer', '<section class="siteFooter">'],
    ['footer', '<div id="colophon">'],
    ['footer', '<div class="bottom">'],
    ['footer', '<table class="ft"><tr><td>'],
    ['footer', '<p class="copyright">'],
    ['footer', '<div data-aid="FOOTER_SECTION">'],
    ['footer', '<acme-footer>'],
    ['footer', '<footer><aside class="widget-area">'],
    ['header', '<header>'],
    ['header', '<div class="hdr">'],
    ['header', '<div id="masthead">'],
    ['header', '<div role="banner">'],
    ['nav', '<header><nav>'],
    ['nav', '<div class="navbar">'],
    ['nav', '<ul id="primary-menu">'],
    ['nav', '<footer><nav>'],
    ['aside', '<aside>'],
    ['aside', '<div class="left-sidebar">'],
    ['article', '<article>'],
    ['article', '<div class="blog-post">'],
    ['article', '<div class="container post">'],
    ['article', '<article><header>'],
    ['article', '<article><div class="entry-footer">'],
    ['footer', '<article><footer class="site-footer">'],
    ['main', '<main>'],
    ['main', '<p>'],
    ['main', '<body class="blog footer-dark">'],
    ['main', '<div id="page" class="blog">'],
    ['main', '<div class="wsite-elements wsite-not-footer">'],
    ['main', '<div class="has-sidebar">'],
    ['main', '<div class="card"><div class="card-footer">'],
    ['main', '<div class="margin-bottom">'],
    ['main', '<blockquote><footer>'],
    ['main', '<div class="footwear barefoot">'],
    ['main', '<h2 class="section-header">'],
    ['main', '<footer></footer><p>'],
    ['main', '<footer><p>a</footer><p>'],
  ])('%s: %s', (region, html) => {
    expect(read(`${html}text`).blocks.at(-1)).toMatchObject({ text: 'text', region })
  })
})
