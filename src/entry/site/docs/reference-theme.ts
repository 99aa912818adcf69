/** The API reference in our typeface and colours: the library that draws it reads custom properties of its own. */
import { themeOf } from '../../../lib/design/palette.ts'

function colours(theme: 'light' | 'dark'): string {
  const palette = themeOf(theme)
  const properties = {
    'color-1': palette.ink,
    'color-2': palette.soft,
    'color-3': palette.soft,
    'color-accent': palette.brand,
    'background-1': palette.card,
    'background-2': palette.paper,
    'background-3': palette.sunken,
    'background-accent': palette['brand-soft'],
    'border-color': palette.line,
    'color-green': palette.good,
    'color-red': palette.bad,
    'color-yellow': palette.warn,
    'color-blue': palette.info,
    'color-orange': palette.warn,
    'color-purple': palette.brand,
    'button-1': palette.brand,
    'button-1-hover': palette.brand,
    'button-1-color': palette['on-brand'],
    'sidebar-background-1': palette.paper,
    'sidebar-color-1': palette.ink,
    'sidebar-color-2': palette.soft,
    'sidebar-color-active': palette.brand,
    'sidebar-item-active-background': palette['brand-soft'],
    'sidebar-item-hover-background': palette.sunken,
    'sidebar-border-color': palette.line,
    'sidebar-search-background': palette.card,
    'sidebar-search-border-color': palette['line-strong'],
    'sidebar-search-color': palette.soft,
  }
  const lines = Object.entries(properties).map(([name, colour]) => `--scalar-${name}: ${colour};`)
  return `.${theme}-mode, .${theme}-mode .sidebar { ${lines.join(' ')} }`
}

export const REFERENCE_THEME = `
@font-face { font-family: Inter; font-weight: 100 900; font-display: swap; src: url("/assets/inter-latin.woff2") format("woff2"); }
:root { --scalar-font: Inter, system-ui, sans-serif; --scalar-font-code: ui-monospace, "SF Mono", Menlo, Consolas, monospace; --scalar-radius: 6px; --scalar-radius-lg: 10px; --scalar-radius-xl: 12px; }
${colours('light')}
${colours('dark')}
`
