/** The page that shows every component of the design in every state. It is for those who build pages, so no menu leads to it. */
import type { App } from '../../app.ts'
import { ICON_SHAPES } from '../../lib/design/icon-shapes.ts'
import { type IconName, icon } from '../../lib/design/icons.ts'
import { PALETTE } from '../../lib/design/palette.ts'
import { type Html, html } from '../../lib/text/html.ts'
import type { Server } from '../http/instance.ts'
import { sendPage } from './layout.ts'

export function designPageRoutes(_app: App, server: Server): void {
  server.get('/design', async (_request, reply) =>
    sendPage(reply.header('x-robots-tag', 'noindex'), { title: 'Design', width: 'wide', body: PAGE }),
  )
}

const TONES = [
  ['good', 'Matched, active, delivered', 'proven or well'],
  ['warn', 'Needs review, notice', 'for a person to look at'],
  ['bad', 'Failed, dissolved, warning', 'failed, or a risk'],
  ['abroad', 'Not a UK company', 'outside the UK register'],
  ['info', 'Information', 'no action needed'],
  ['neutral', 'No match', 'nothing found'],
] as const

const section = (title: string, body: Html): Html =>
  html`<section class="card stack-small"><h2>${title}</h2>${body}</section>`

const buttons = ['', 'quiet', 'plain', 'danger'].map(
  (look) =>
    html`<div class="row"><button type="button" class="button ${look}">${look || 'main'}</button><button type="button" class="button ${look} small">small</button><button type="button" class="button ${look}" disabled>disabled</button><button type="button" class="button ${look}" aria-busy="true"><span class="spinner" aria-hidden="true"></span>busy</button></div>`,
)

const PAGE = html`<div class="stack">
  <h1>Design</h1>
  <p class="soft">Colours come from palette.ts, sizes from measures.css, components from parts/. A colour has one meaning everywhere, and the words say it too.</p>
  ${section(
    'Type',
    html`<p class="lead">The quick brown fox: 0123456789, Ŵŷ, £1,250</p><h1>Heading 1</h1><h2>Heading 2</h2><h3>Heading 3</h3><p>Text with <a href="#type">a link</a>, <strong>weight</strong>, <code>code</code>, <mark>a mark</mark> and <kbd>K</kbd>.</p><p class="soft small">Small and soft.</p><blockquote>Registered in England and Wales No. 08496536</blockquote>`,
  )}
  ${section(
    'Colours',
    html`<ul class="swatches">${Object.entries(PALETTE).map(([name, { light, dark }]) => html`<li class="swatch-${name}"><span></span>${name}<br /><span class="soft small">${light} · ${dark}</span></li>`)}</ul>`,
  )}
  ${section('Tones', html`${TONES.map(([tone, words, meaning]) => html`<div class="row"><span class="badge ${tone}">${words}</span><span class="soft small">${meaning}</span></div>`)}${TONES.map(([tone, words]) => html`<p class="note ${tone}">${words}</p>`)}`)}
  ${section('Buttons', html`${buttons}`)}
  ${section(
    'Fields',
    html`<div class="field"><label for="d-1">Domain</label><input id="d-1" placeholder="example.co.uk" /><p class="hint">A hint.</p></div>
    <div class="field"><label for="d-2">Wrong</label><input id="d-2" value="not a domain" aria-invalid="true" aria-describedby="d-2-p" /><p class="problem" id="d-2-p">Enter a domain, such as example.co.uk.</p></div>
    <div class="field"><label for="d-3">Choice</label><select id="d-3"><option>One</option><option>Two</option></select></div>
    <label class="row"><input type="checkbox" checked /> Checked</label>
    <fieldset class="segments"><legend class="visually-hidden">Segments</legend><label><input type="radio" name="s" checked /><span>Day</span></label><label><input type="radio" name="s" /><span>Month</span></label></fieldset>`,
  )}
  ${section(
    'Lists',
    html`<dl class="facts rows"><div><dt>Status</dt><dd><span class="badge good">Active</span></dd></div><div><dt>Office</dt><dd>4 The Old Dairy, Exeter</dd></div></dl>
    <ul class="checklist"><li class="met">${icon('check')}<span>The site prints company number 08496536.</span></li><li class="unmet">${icon('x')}<span>No sentence says that this company runs the site.</span></li></ul>
    <table><thead><tr><th scope="col">What</th><th scope="col" class="number">Credits</th></tr></thead><tbody><tr><td>A match</td><td class="number">1</td></tr><tr><td>No match</td><td class="number">0</td></tr></tbody></table>`,
  )}
  ${section(
    'Waiting and empty',
    html`<div class="skeleton" role="status" aria-label="Loading"><span></span><span></span><span></span></div>
    <div class="progress" role="progressbar" aria-label="Progress" aria-valuenow="40" aria-valuemin="0" aria-valuemax="100"><span class="grow"></span></div>
    <div class="empty"><h3>Nothing here yet</h3><p>Says what the screen is for, and the first step.</p><a class="button" href="#type">First step</a></div>`,
  )}
  ${section('Icons', html`<p class="row">${(Object.keys(ICON_SHAPES) as IconName[]).map((name) => html`<span class="row tight">${icon(name)} <span class="small soft">${name}</span></span>`)}</p>`)}
</div>`
