/**
 * The colours of everything we show: site, console, evidence page and e-mails. Each has a light and a dark form. A tone
 * has one meaning: green is proven or well, amber is for a person to look at, red is failed or a risk, teal is outside
 * the UK register, blue is information, grey is nothing found. The brand colour marks what can be pressed, and nothing
 * else.
 */
export interface Colour {
  light: string
  dark: string
}

export const PALETTE = {
  /** Text. */
  ink: { light: '#15181e', dark: '#eceef2' },
  /** Text of less weight. */
  soft: { light: '#565d6b', dark: '#a6adbb' },
  line: { light: '#e2e5ea', dark: '#2b313b' },
  /** The edge of a control. */
  'line-strong': { light: '#868d9b', dark: '#6f7786' },
  paper: { light: '#f7f8fa', dark: '#0e1116' },
  card: { light: '#ffffff', dark: '#161a21' },
  sunken: { light: '#eff1f4', dark: '#1e242d' },
  brand: { light: '#3a3fb5', dark: '#aab3ff' },
  'brand-soft': { light: '#eceefd', dark: '#232751' },
  'on-brand': { light: '#ffffff', dark: '#14173d' },
  good: { light: '#12633a', dark: '#7fdca4' },
  'good-soft': { light: '#dcf5e5', dark: '#11301f' },
  warn: { light: '#7d4a06', dark: '#f6c768' },
  'warn-soft': { light: '#fdf0d2', dark: '#37290d' },
  bad: { light: '#a01b26', dark: '#ff9d9d' },
  'bad-soft': { light: '#fde5e5', dark: '#3c1719' },
  abroad: { light: '#0b5f69', dark: '#7ad3da' },
  'abroad-soft': { light: '#d9f2f4', dark: '#0f2f34' },
  info: { light: '#1f4f9c', dark: '#93bcff' },
  'info-soft': { light: '#e0ebfc', dark: '#152a4a' },
  /** Behind the words of a quote that prove something. */
  mark: { light: '#fdeb8f', dark: '#5a4a0e' },
} as const satisfies Record<string, Colour>

export type ColourName = keyof typeof PALETTE

/** Returns the colours of one theme, for what knows no custom properties: e-mails and pages for paper. */
export function themeOf(theme: keyof Colour): Record<ColourName, string> {
  const colours = Object.entries(PALETTE).map(([name, colour]) => [name, colour[theme]])
  return Object.fromEntries(colours) as Record<ColourName, string>
}

/** Text and the grounds that it is read on: every pair keeps 4.5:1 in both themes. */
export const READ_ON: ReadonlyArray<readonly [text: ColourName, ground: ColourName]> = [
  ...(['ink', 'soft', 'brand', 'good', 'warn', 'bad', 'abroad', 'info'] as const).flatMap((text) =>
    (['paper', 'card', 'sunken'] as const).map((ground) => [text, ground] as const),
  ),
  ...(['good', 'warn', 'bad', 'abroad', 'info', 'brand'] as const).flatMap((tone) => [
    [tone, `${tone}-soft`] as const,
    ['ink', `${tone}-soft`] as const,
    ['soft', `${tone}-soft`] as const,
  ]),
  ['on-brand', 'brand'],
  ['ink', 'mark'],
]

/** The colours as custom properties of CSS. `tools/design.ts` writes them to colours.css. */
export function formatColours(): string {
  const lines = Object.entries(PALETTE).map(([name, { light, dark }]) => `  --${name}: light-dark(${light}, ${dark});`)
  return `/* Written by tools/design.ts from palette.ts. */
:root {
  color-scheme: light dark;
${lines.join('\n')}
}
:root[data-theme="light"] {
  color-scheme: light;
}
:root[data-theme="dark"] {
  color-scheme: dark;
}
`
}

/** The ratio of WCAG between two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
