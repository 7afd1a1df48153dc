import { connection, probe, watchConnection } from "@/api/connection";

/**
 * Loads code of the dashboard. While the server does not respond, waits and tries again, because a failed import would replace the
 * page by an error. Rejects if the server responds but does not have the file, because it now runs another version.
 */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if ((await probe()) !== "silent") return await load().catch(() => Promise.reject(error as Error));
      await answered();
    }
  }
}

function answered(): Promise<void> {
  return new Promise((resolve) => {
    const unwatch = watchConnection(() => {
      if (connection() === "silent") return;
      unwatch();
      resolve();
    });
  });
}
