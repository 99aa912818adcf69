/** Light, dark, or as the device says. */
export type Theme = 'system' | 'light' | 'dark'

const KEY = 'nameplate-theme'

export function readTheme(): Theme {
  const kept = localStorage.getItem(KEY)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') {
    localStorage.removeItem(KEY)
    delete document.documentElement.dataset['theme']
    return
  }
  localStorage.setItem(KEY, theme)
  document.documentElement.dataset['theme'] = theme
}
