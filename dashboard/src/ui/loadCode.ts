import { connection, probe, watchConnection } from "@/api/connection";

/**
 * Loads code of the dashboard. While the server is silent it waits and tries again: a failed import would end what is
 * shown, or reload it into nothing. It rejects when a server that answers does not have the file: its version is another.
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
