/** A company at a glance, in the small window that a client opens beside a cell: one page without script or links inwards. */
import { createHash } from 'node:crypto'
import { type ColourName, PALETTE } from '../../../lib/design/palette.ts'
import { Html, html } from '../../../lib/text/html.ts'
import { type Company, formatAddress } from '../../../register/index.ts'

export const PREVIEW_SIZE = { width: 430, height: 300 }

const both = (name: ColourName) => `light-dark(${PALETTE[name].light}, ${PALETTE[name].dark})`

const STYLES = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 0.75rem 1rem; background: ${both('card')}; color: ${both('ink')}; font: 14px/1.45 system-ui, sans-serif; }
h1 { margin: 0 0 0.5rem; font-size: 1.05rem; line-height: 1.3; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 0.9rem; margin: 0 0 0.6rem; }
dt { color: ${both('soft')}; }
dd { margin: 0; overflow-wrap: anywhere; }
p { margin: 0; }
a { color: ${both('brand')}; }
`

/** Any site may show it in a frame: it holds nothing but open data, and nothing in it can be pressed. */
export const PREVIEW_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors *`

const NAMES_SHOWN_MAX = 3

export function formatPreview(company: Company, registerUrl: string): string {
  const { number, status, incorporatedOn, dissolvedOn, previousNames, sicCodes } = company
  const names = previousNames.slice(0, NAMES_SHOWN_MAX).map(({ name }) => name)
  return page(
    company.name,
    html`<dl>
      ${row('Number', number)}
      ${row('Status', status.replaceAll('-', ' '))}
      ${row('Incorporated', incorporatedOn)}
      ${row('Dissolved', dissolvedOn)}
      ${row('Office', formatAddress(company.address))}
      ${row('Was called', names.join('; '))}
      ${row('SIC codes', sicCodes.join(', '))}
    </dl>
    <p><a href="${registerUrl}" target="_blank" rel="noopener">See it at Companies House</a></p>`,
  )
}

export function formatNoPreview(id: string): string {
  return page('No such company', html`<p>The register as it is kept here has no company ${id}.</p>`)
}

function row(term: string, value: string | null): Html | null {
  return value ? html`<dt>${term}</dt><dd>${value}</dd>` : null
}

function page(title: string, body: Html): string {
  return html`<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <style>${new Html(STYLES)}</style>
  </head>
  <body><main><h1>${title}</h1>${body}</main></body>
</html>
`.markup
}
