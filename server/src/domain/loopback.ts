/** Whether a host's name, as a URL has it, is this machine's own. */
export function isLoopbackAddress(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/i.test(hostname);
}
