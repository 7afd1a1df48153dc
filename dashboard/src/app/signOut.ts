import { asProblem } from "@/api/problem";
import { toast } from "@/ui/toast";
import { peopleClient } from "./session";

/** Ends the session and opens the sign-in page. */
export function signOut() {
  peopleClient.POST("/v1/auth/logout").then(
    () => location.assign("/app/login"),
    (error: unknown) => toast({ title: asProblem(error).message, tone: "bad" }),
  );
}
