import { configure } from "@testing-library/react";

// The milliseconds for which a test waits for what it expects. On a busy machine, the default of one second is too short.
configure({ asyncUtilTimeout: 15_000 });
