import { readTheme, setTheme } from '../src/ui/theme.ts'

/** Shows the pages in the theme that the person chose in the console. */
export function applyTheme(): void {
  setTheme(readTheme())
}
