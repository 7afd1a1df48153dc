// Written by `make generate` from client/openapi.json.

export interface paths {
    "/v1/auth/identities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a linked identity */
        delete: operations["deleteIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a password */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How people sign in */
        get: operations["getLoginMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/methods/own": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How one may sign in oneself */
        get: operations["getOwnLoginMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sign in with an identity provider */
        get: operations["beginOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Come back from an identity provider */
        get: operations["finishOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/{provider}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to link an identity */
        post: operations["linkIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's passkeys */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a passkey */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        /** Rename a passkey */
        patch: operations["patchPasskey"];
        trace?: never;
    };
    "/v1/auth/passkeys/login/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in with a passkey */
        post: operations["beginPasskeyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/login/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: operations["finishPasskeyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/register/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to add a passkey */
        post: operations["beginPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/register/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a passkey */
        post: operations["finishPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change one's password */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for a new password */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with a mailed link */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the first account */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange an id token of a CI job for a key */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who am I */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change one's name */
        patch: operations["patchMe"];
        trace?: never;
    };
    "/v1/ota/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/api-keys/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke the API keys that a person made */
        post: operations["revokeApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List approvals */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an approval */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a call */
        post: operations["approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a call */
        post: operations["rejectApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take your approval back */
        post: operations["withdrawApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/assets/{md5}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file of a build */
        get: operations["getAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** Look at a file of a build */
        head: operations["headAsset"];
        patch?: never;
        trace?: never;
    };
    "/v1/ota/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List changes */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export changes */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List branches */
        get: operations["listBranches"];
        put?: never;
        /** Create a branch */
        post: operations["createBranch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/branches/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a branch */
        delete: operations["deleteBranch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List builds */
        get: operations["listBuilds"];
        put?: never;
        /** Upload a build */
        post: operations["uploadBuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a build */
        delete: operations["deleteBuild"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish a build to a channel */
        post: operations["publishBuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/{id}/sourcemap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Add a source map to a build */
        put: operations["putSourceMap"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find out which files an upload must send */
        post: operations["checkFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/files/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Send a file before the build that has it */
        put: operations["putFile"];
        post?: never;
        delete?: never;
        options?: never;
        /** Find out how much of a file has arrived */
        head: operations["headFile"];
        patch?: never;
        trace?: never;
    };
    "/v1/ota/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List channels */
        get: operations["listChannels"];
        put?: never;
        /** Create a channel */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/channels/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a channel */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /** Delete a channel */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /** Change a channel */
        patch: operations["patchChannel"];
        trace?: never;
    };
    "/v1/ota/channels/{name}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a change of a channel */
        post: operations["previewChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/code-signing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the code signing key */
        get: operations["getCodeSigning"];
        /** Set the code signing key */
        put: operations["putCodeSigning"];
        post?: never;
        /** Delete the code signing key */
        delete: operations["deleteCodeSigning"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/contexts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List contexts */
        get: operations["listContexts"];
        put?: never;
        /** Create or update a context */
        post: operations["createContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/contexts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a context */
        get: operations["getContext"];
        put?: never;
        post?: never;
        /** Delete a context */
        delete: operations["deleteContext"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/contexts/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the kinds of contexts */
        get: operations["listContextKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List devices */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/devices/{deviceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a device */
        get: operations["getDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/devices/{deviceId}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a device's data */
        delete: operations["eraseDeviceData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/emergency-stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the emergency stop */
        get: operations["getEmergencyStop"];
        put?: never;
        /** Stop the project */
        post: operations["stopProject"];
        /** Resume the project */
        delete: operations["resumeProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/emergency-stop/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview an emergency stop */
        post: operations["previewStopProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/emergency-stop/resume/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the end of an emergency stop */
        post: operations["previewResumeProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-definitions/{projectSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the feature flags of a channel */
        get: operations["getFlagDefinitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report how often flags had which value */
        post: operations["reportFlagEvaluations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-evaluations-bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Evaluate all feature flags for a device */
        post: operations["evaluateFlags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-stream/{projectSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the feature flags of a device */
        get: operations["streamFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List feature flags */
        get: operations["listFlags"];
        put?: never;
        /** Create a feature flag */
        post: operations["createFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a feature flag */
        get: operations["getFlag"];
        put?: never;
        post?: never;
        /** Delete a feature flag */
        delete: operations["deleteFlag"];
        options?: never;
        head?: never;
        /** Change a feature flag */
        patch: operations["patchFlag"];
        trace?: never;
    };
    "/v1/ota/flags/{id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy a feature flag's settings to another channel */
        post: operations["copyFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/env/{channelName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a feature flag on one channel */
        patch: operations["patchFlagEnvironment"];
        trace?: never;
    };
    "/v1/ota/flags/{id}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the evaluations of a flag */
        get: operations["getFlagEvaluations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Explain the value of a feature flag */
        post: operations["explainFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the health of a flag */
        get: operations["getFlagHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a rule to a feature flag */
        post: operations["createFlagRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a rule of a feature flag */
        delete: operations["deleteFlagRule"];
        options?: never;
        head?: never;
        /** Change a rule of a feature flag */
        patch: operations["patchFlagRule"];
        trace?: never;
    };
    "/v1/ota/flags/{id}/rules/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Order the rules of a feature flag */
        put: operations["orderFlagRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/variations/{variationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a variation of a feature flag */
        patch: operations["patchVariation"];
        trace?: never;
    };
    "/v1/ota/flags/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Explain the values of all feature flags */
        post: operations["explainFlags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/gc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview a cleanup */
        get: operations["previewGarbage"];
        put?: never;
        /** Run a cleanup */
        post: operations["collectGarbage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/health-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a device's health */
        post: operations["reportHealth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/insights/adoption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show adoption */
        get: operations["getAdoption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invitations */
        get: operations["listInvitations"];
        put?: never;
        /** Invite a person */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/manifest/{projectSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the update for a device */
        get: operations["getManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** Change a member's role */
        patch: operations["patchMember"];
        trace?: never;
    };
    "/v1/ota/observe/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List errors, crashes and custom events */
        get: operations["listObservedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/observe/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an event */
        get: operations["getObservedEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/observe/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List error groups */
        get: operations["listErrorGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/observe/groups/{fingerprint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an error group */
        get: operations["getErrorGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what runs where */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projects */
        get: operations["listProjects"];
        put?: never;
        /** Create a project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/projects/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a project */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain what a device is served */
        get: operations["resolve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Roll back a channel */
        post: operations["rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollback/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a rollback of a channel */
        post: operations["previewRollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List rollouts */
        get: operations["listRolloutExecutions"];
        put?: never;
        /** Start a rollout */
        post: operations["startRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a rollout */
        get: operations["getRolloutExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Advance a rollout */
        post: operations["advanceRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/advance/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview advancing a rollout */
        post: operations["previewAdvanceRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a rollout */
        post: operations["cancelRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/cancel/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview cancelling a rollout */
        post: operations["previewCancelRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/looks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the curve of a rollout */
        get: operations["listRolloutLooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a rollout */
        post: operations["pauseRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/pause/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview pausing a rollout */
        post: operations["previewPauseRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a rollout */
        post: operations["resumeRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/resume/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview resuming a rollout */
        post: operations["previewResumeRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Roll back a rollout */
        post: operations["rollbackRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/rollback/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview rolling back a rollout */
        post: operations["previewRollbackRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a rollout */
        get: operations["streamRolloutExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List rollout policies */
        get: operations["listRolloutPolicies"];
        put?: never;
        /** Create a rollout policy */
        post: operations["createRolloutPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a rollout policy */
        get: operations["getRolloutPolicy"];
        put?: never;
        post?: never;
        /** Delete a rollout policy */
        delete: operations["deleteRolloutPolicy"];
        options?: never;
        head?: never;
        /** Change a rollout policy */
        patch: operations["patchRolloutPolicy"];
        trace?: never;
    };
    "/v1/ota/rollout-policies/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forecast a rollout policy */
        post: operations["previewRolloutPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List segments */
        get: operations["listSegments"];
        put?: never;
        /** Create a segment */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a segment */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /** Delete a segment */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /** Change a segment */
        patch: operations["patchSegment"];
        trace?: never;
    };
    "/v1/ota/segments/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Estimate a segment */
        post: operations["estimateSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the project's settings */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the project's settings */
        patch: operations["patchSettings"];
        trace?: never;
    };
    "/v1/ota/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a project */
        get: operations["streamProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events of devices */
        get: operations["listTelemetryEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/flag-impacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the impact of flags */
        get: operations["listFlagImpacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List incidents */
        get: operations["listIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an incident */
        get: operations["getIncident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Acknowledge an incident */
        patch: operations["patchIncident"];
        trace?: never;
    };
    "/v1/ota/telemetry/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List refused requests */
        get: operations["listRefused"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show devices, errors and crashes over time */
        get: operations["getTimeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/trusted-publishers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List trusted publishers */
        get: operations["listTrustedPublishers"];
        /** Replace the trusted publishers */
        put: operations["putTrustedPublishers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List releases */
        get: operations["listUpdates"];
        put?: never;
        /** Publish a build to a branch or a channel */
        post: operations["createUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a release */
        get: operations["getUpdate"];
        put?: never;
        post?: never;
        /** Delete a release */
        delete: operations["deleteUpdate"];
        options?: never;
        head?: never;
        /** Change a release */
        patch: operations["patchUpdate"];
        trace?: never;
    };
    "/v1/ota/updates/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the history of a release */
        get: operations["listUpdateHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}/patches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the patches to a release */
        get: operations["listUpdatePatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}/republish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Republish a release */
        post: operations["republishUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/user-overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List user overrides */
        get: operations["listUserOverrides"];
        put?: never;
        /** Create a user override */
        post: operations["createUserOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/user-overrides/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a user override */
        delete: operations["deleteUserOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /** Create a webhook */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete a webhook */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Change a webhook */
        patch: operations["patchWebhook"];
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a webhook's deliveries */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeliver a message */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeliver what failed */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate a webhook's secret */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message to a webhook */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events of webhooks */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptBody: {
            /** @description Of a person without an account. */
            name?: string;
            /** @description A new one of at least 12 characters, or that of the account. */
            password?: string;
            /** @description What follows the # in the invitation's url. */
            token: string;
        };
        AddPasskeyBody: {
            /** @description RegistrationResponseJSON of WebAuthn: what toJSON() of the new credential returns. */
            credential: {
                [key: string]: unknown;
            };
            /** @description To tell it from others. */
            name: string;
        };
        Adoption: {
            /** @description Oldest day first; only days and releases with devices. */
            adoption: components["schemas"]["UpdateDay"][];
            /** Format: int64 */
            days: number;
            /** @description Most devices first. A device counts for the update that it last reported. */
            distribution: components["schemas"]["UpdateDevices"][];
            /**
             * Format: int64
             * @description Sum of downloadsByDay.
             */
            downloads: number;
            /** @description Every day of the window, oldest first. */
            downloadsByDay: components["schemas"]["DownloadDay"][];
            /** @description False when distinct devices are estimated, to about 1.1 %, because there are many; downloads then count a device again on each day that it is served the release. */
            exact: boolean;
            /**
             * Format: int64
             * @description Releases in distribution.
             */
            releasesTracked: number;
            /**
             * Format: int64
             * @description Distinct devices that reported anything in the window.
             */
            totalActiveDevices: number;
        };
        APIKey: {
            /** @description The only channels that the key may change; null for all. */
            channels: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it stops working, null for never.
             */
            expiresAt: string | null;
            /** Format: int64 */
            id: number;
            /**
             * Format: date-time
             * @description To the minute; null before its first use.
             */
            lastUsedAt: string | null;
            /**
             * Format: int64
             * @description Id of the user who made the key, even by way of another key, else null.
             */
            madeBy: number | null;
            /** @description Name of the key, and of its user in the audit log. */
            name: string;
            /** @description The part of the key that may be shown. */
            prefix: string;
            /**
             * Format: int64
             * @description Trusted publisher of a short-lived key, else null.
             */
            publisherId: number | null;
            /**
             * Format: date-time
             * @description When it was revoked, else null.
             */
            revokedAt: string | null;
            /**
             * @description What it may do in its project.
             * @enum {string}
             */
            role: "client" | "viewer" | "editor" | "admin";
        };
        Approval: {
            /** @description The operation that waits. */
            action: string;
            /** @description Oldest first. */
            approvals: components["schemas"]["ApprovalGiven"][];
            /** @description The protected channels whose devices it affects. */
            channels: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the status became final, else null.
             */
            endedAt: string | null;
            /** @description Why it is stale or failed, else null. */
            error: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description What the call was given: the fields of its body and the names in its path. */
            input: {
                [key: string]: unknown;
            } | null;
            /** @description What the call changes for devices: a list for each channel, platform and runtime version whose releases differ. Empty for calls about flags and for commands to rollouts. Compared again when the call is carried out. */
            receives: components["schemas"]["OfferChange"][];
            /** @description Null unless it was rejected, or withdrawn by its author. */
            rejection: components["schemas"]["ApprovalGiven"] | null;
            requestedBy: components["schemas"]["Party"];
            /** @description X-Request-Id of the call. */
            requestId: string;
            /**
             * Format: int64
             * @description How many people must approve.
             */
            requiredApprovals: number;
            /**
             * @description Approved while it is being carried out; stale when it no longer applied, failed when it could not be carried out.
             * @enum {string}
             */
            status: "pending" | "approved" | "carried_out" | "stale" | "failed" | "rejected" | "expired";
            /** @description What the call does, with the facts to judge it by. */
            summary: string;
            /** @description The workflow in Temporal that waits. */
            workflowId: string;
        };
        ApprovalGiven: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Party"];
            comment: string;
        };
        ApprovalSummary: {
            /** @description The operation that waits. */
            action: string;
            /** @description Oldest first. */
            approvals: components["schemas"]["ApprovalGiven"][];
            /** @description The protected channels whose devices it affects. */
            channels: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the status became final, else null.
             */
            endedAt: string | null;
            /** @description Why it is stale or failed, else null. */
            error: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Null unless it was rejected, or withdrawn by its author. */
            rejection: components["schemas"]["ApprovalGiven"] | null;
            requestedBy: components["schemas"]["Party"];
            /** @description X-Request-Id of the call. */
            requestId: string;
            /**
             * Format: int64
             * @description How many people must approve.
             */
            requiredApprovals: number;
            /**
             * @description Approved while it is being carried out; stale when it no longer applied, failed when it could not be carried out.
             * @enum {string}
             */
            status: "pending" | "approved" | "carried_out" | "stale" | "failed" | "rejected" | "expired";
            /** @description What the call does, with the facts to judge it by. */
            summary: string;
            /** @description The workflow in Temporal that waits. */
            workflowId: string;
        };
        AuditEntry: {
            /** @description What was done, as noun.verb. */
            action: string;
            /** @description Id of the key, root, or the component's name. */
            actorId: string;
            actorName: string;
            /** @enum {string} */
            actorType: "api_key" | "user" | "system";
            /** Format: date-time */
            createdAt: string;
            /** @description What changed. Only admins see the address and userAgent of a login. */
            details: {
                [key: string]: unknown;
            };
            /** @description Its id. */
            entityId: string;
            /** @description Kind of record that was changed. */
            entityType: string;
            /**
             * Format: int64
             * @description Also the cursor for paging.
             */
            id: number;
            /** @description X-Request-Id of the call, empty for what Waft did by itself. */
            requestId: string;
        };
        Branch: {
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            /** @description The newest release of each platform and runtime version. */
            latestUpdates: components["schemas"]["Update"][];
            name: string;
        };
        Build: {
            /** Format: int64 */
            assetCount: number;
            assets: components["schemas"]["BuildAsset"][];
            /**
             * Format: uuid
             * @description Another name of uuid.
             */
            buildUuid: string;
            /** @description The app configuration that came with the upload; devices get it as extra.expoClient. */
            clientConfig: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the update inside a binary whose bundle this is; null for a build that is made to be published.
             */
            embeddedUpdateId: string | null;
            gitBranch: string;
            gitCommitHash: string;
            /** Format: int64 */
            id: number;
            message: string;
            /**
             * Format: int64
             * @description Files that were not in the asset store before.
             */
            newAssetCount: number;
            /**
             * Format: int64
             * @description Bytes that were not in the asset store before.
             */
            newBytes: number;
            /** @enum {string} */
            platform: "ios" | "android";
            /** @description Only devices of exactly this runtime version get it. */
            runtimeVersion: string;
            /** Format: int64 */
            sizeBytes: number;
            /**
             * Format: int64
             * @description Size of the source map of the launch asset, which sizeBytes includes; 0 without one.
             */
            sourceMapBytes: number;
            /**
             * @description Published once it was published at least once.
             * @enum {string}
             */
            status: "uploaded" | "published";
            /** Format: uuid */
            uuid: string;
        };
        BuildAsset: {
            contentType: string;
            fileExtension: string;
            /** @description Whether it is the bundle that the app starts. */
            isLaunchAsset: boolean;
            /** @description MD5 of the file in hex, its name at the assets endpoint. */
            key: string;
            /** @description Path inside the export. */
            path: string;
            /** @description SHA-256 of the file in base64url. */
            sha256: string;
            /** Format: int64 */
            sizeBytes: number;
        };
        BuildForm: {
            /** @description The files; each filename is the path inside the export. */
            assets?: string[];
            /**
             * Format: binary
             * @description The file that the app starts.
             */
            bundle?: string;
            /** @description App configuration as a JSON object; also accepted as expoConfig. */
            clientConfig?: string;
            /**
             * Format: uuid
             * @description Id of the update inside a binary, when the files are that update's: then the build is not published, and devices that run it get patches.
             */
            embeddedUpdateId?: string;
            /** @description JSON list of files that are stored already: [{path, sha256, isLaunchAsset?}]. */
            files?: string;
            gitBranch?: string;
            gitCommitHash?: string;
            message?: string;
            /**
             * Format: binary
             * @description Expo's metadata.json.
             */
            metadata?: string;
            /** @enum {string} */
            platform: "ios" | "android";
            /** @description Only devices of exactly this runtime version get the build; also accepted as runtimeFingerprint. */
            runtimeVersion: string;
            /**
             * Format: binary
             * @description Source map of the bundle; devices are never served it. A file named like the bundle with .map at its end is taken for it too.
             */
            sourcemap?: string;
        };
        BulkEvaluation: {
            /** @description What rules compare with. update_id is the running update. */
            attributes?: {
                [key: string]: unknown;
            };
            /** @description The device's channel. */
            channel?: string;
            /** @description Stable id of the device. */
            deviceId: string;
            /** @enum {string} */
            platform?: "ios" | "android" | "web";
            /** @description The project's slug or UUID. */
            projectSlug: string;
            runtimeVersion?: string;
            /** @description Decides shares and user lists; the deviceId when absent or empty. */
            targetingKey?: string;
        };
        CancelBody: {
            /** @description Why, for the timeline and the audit log. */
            reason?: string;
            /** @description Whether the release is reverted; true when absent. */
            revert?: boolean;
        };
        ChangePasswordBody: {
            /** @description The password until now. */
            current?: string;
            /** @description At least 12 characters. */
            new: string;
        };
        ChangePreview: {
            /** @description Channels that would be paused or resumed, by name. */
            channels: components["schemas"]["PreviewedChannel"][];
            /**
             * Format: int64
             * @description Of the devices that reported in the last 24 hours (this hour and the 23 before it), those whose next manifest request would be answered otherwise than now, or whose linked flags would change. Null while telemetry is unavailable.
             */
            devicesAffected: number | null;
            /** @description Rollouts whose state would change. */
            executions: components["schemas"]["PreviewedRollout"][];
            /** @description Linked flags that would be set otherwise for devices of a release. */
            flags: components["schemas"]["PreviewedFlag"][];
            /** @description Releases that would be published, enabled or disabled, or get another share. */
            releases: components["schemas"]["PreviewedRelease"][];
            /** @description What to know before the call, as sentences. */
            warnings: string[];
        };
        Channel: {
            /** @description The branch that devices get. */
            branchName: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            /** @description Whether updates are stopped for all devices of the channel. */
            isPaused: boolean;
            /** @description Whether only admins, and others with approval, change what its devices get. */
            isProtected: boolean;
            /** @description Devices below it must update in the app store; null for none. */
            minRuntimeVersion: string | null;
            name: string;
            /**
             * Format: int64
             * @description How many people must approve such a change of a protected channel, 0 to 5.
             */
            requiredApprovals: number;
            /** @description The branch that a share of the devices gets instead, else null. */
            rolloutBranchName: string | null;
            /**
             * Format: double
             * @description That share, 0 to 100, null without a rollout branch.
             */
            rolloutPercentage: number | null;
            /** Format: date-time */
            updatedAt: string;
        };
        CheckedFile: {
            /** @description SHA-256 of the file in base64url without padding, or in hex. */
            sha256: string;
            /**
             * Format: int64
             * @description Size of the file.
             */
            sizeBytes: number;
        };
        CheckFilesBody: {
            /** @description The files of an export; at most as many as a build may have. */
            files: components["schemas"]["CheckedFile"][];
        };
        CodeSigning: {
            /**
             * @description alg of the signatures.
             * @enum {string}
             */
            algorithm: "rsa-v1_5-sha256";
            /** @description The certificate, and its intermediates. */
            certificatePem: string;
            /** Format: date-time */
            createdAt: string;
            /** @description SHA-256 of the certificate in hex. */
            fingerprint: string;
            /** @description keyid of the signatures. */
            keyId: string;
            /**
             * Format: date-time
             * @description When the certificate expires.
             */
            notAfter: string;
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CommandReason: {
            /** @description Why, for the timeline and the audit log. */
            reason?: string;
        };
        ConditionExplanation: {
            /** @description The attribute of the context; null when it is missing. */
            actual: unknown;
            attribute: string;
            holds: boolean;
            /** @description What of the condition was not tried, and why: a pattern above the limits, a text above 1,024 bytes for a pattern, or too many steps. */
            note?: string;
            /** @enum {string} */
            operator: "eq" | "neq" | "in" | "not_in" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "before" | "after" | "matches" | "exists" | "not_exists" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            values: (string | number | boolean)[];
        };
        Context: {
            /** @description JSON values by name. */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description How often flags were evaluated for it.
             */
            evaluationCount: number;
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            kind: "user" | "device" | "organization" | "service" | "environment";
            /** Format: date-time */
            lastSeenAt: string;
            name: string;
            /** @description Whether it was made by hand. Others were recorded when they evaluated flags; above the quota those seen longest ago are deleted. */
            pinned: boolean;
            /** @description Unique among the contexts of its kind. */
            targetingKey: string;
        };
        CopyFlagBody: {
            /** @description The channel whose settings are copied. */
            fromChannel: string;
            /** @description The channel that gets them. */
            toChannel: string;
        };
        CreateAPIKeyBody: {
            /**
             * Format: date-time
             * @description When it stops working; never when absent.
             */
            expiresAt?: string;
            /** @description Name of the key, and of its user in the audit log. */
            name: string;
            /**
             * @description What it may do.
             * @enum {string}
             */
            role: "client" | "viewer" | "editor" | "admin";
        };
        CreateBranchBody: {
            /** @description 1 to 128 letters, digits or . _ / -, beginning with a letter or digit. */
            name: string;
        };
        CreateChannelBody: {
            /** @description The branch that devices get; the one of the channel's own name when absent. */
            branchName?: string;
            /** @description 1 to 128 letters, digits or . _ / -, beginning with a letter or digit. */
            name: string;
        };
        CreateContextBody: {
            /** @description JSON values by name; at most 100 and 16 KiB. */
            attributes?: {
                [key: string]: unknown;
            };
            /**
             * @description What it stands for.
             * @enum {string}
             */
            kind: "user" | "device" | "organization" | "service" | "environment";
            /** @description Display name. */
            name?: string;
            /** @description Unique among the contexts of its kind. */
            targetingKey: string;
        };
        CreatedAPIKey: {
            /** @description The only channels that the key may change; null for all. */
            channels: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it stops working, null for never.
             */
            expiresAt: string | null;
            /** Format: int64 */
            id: number;
            /** @description The whole key. It cannot be shown again. */
            key: string;
            /**
             * Format: date-time
             * @description To the minute; null before its first use.
             */
            lastUsedAt: string | null;
            /**
             * Format: int64
             * @description Id of the user who made the key, even by way of another key, else null.
             */
            madeBy: number | null;
            /** @description Name of the key, and of its user in the audit log. */
            name: string;
            /** @description The part of the key that may be shown. */
            prefix: string;
            /**
             * Format: int64
             * @description Trusted publisher of a short-lived key, else null.
             */
            publisherId: number | null;
            /**
             * Format: date-time
             * @description When it was revoked, else null.
             */
            revokedAt: string | null;
            /**
             * @description What it may do in its project.
             * @enum {string}
             */
            role: "client" | "viewer" | "editor" | "admin";
        };
        CreatedInvitation: {
            /** @description Waft mails the link to the address. */
            byMail: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description Whom it is for. */
            email: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Who made it. */
            invitedBy: string;
            /**
             * @description What the person becomes.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description Time at which the mail server took the mail, null before.
             */
            sentAt: string | null;
            /** @description Link by which the person accepts it, absent if Waft mails it. It cannot be shown again. */
            url?: string;
        };
        CreatedWebhook: {
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** @description Why Waft disabled it; empty when it did not. */
            disabledReason: string;
            /** @description Names of actions as in the audit log, or * for all. */
            events: string[];
            /**
             * Format: date-time
             * @description Time of the first failed attempt since the last success; null if none failed. After five days of failures the webhook is disabled.
             */
            failingSince: string | null;
            /**
             * @description What messages look like.
             * @enum {string}
             */
            format: "standard" | "slack" | "teams";
            /** Format: int64 */
            id: number;
            /** @description Whether it gets messages. */
            isActive: boolean;
            /** @description The newest one, null before the first. */
            lastDelivery: components["schemas"]["WebhookDelivery"] | null;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation signs too; null when only one does.
             */
            oldSecretUntil: string | null;
            /** @description The secret that signs messages. It cannot be shown again. */
            secret: string;
            /** @description The end of the secret, to recognise it. */
            secretHint: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Where messages are posted to; with … in place of secrets for those who are not admins. */
            url: string;
        };
        CreateFlagBody: {
            /** @description A value of the type, or a string with its text; false for a boolean flag when absent. A string is always the text of a json value. */
            defaultValue?: unknown;
            description?: string;
            /** @description False gives the default to every context; true when absent. */
            enabled?: boolean;
            /**
             * @description Type of its values; boolean when absent.
             * @enum {string}
             */
            flagType?: "boolean" | "string" | "number" | "json";
            /** @description 1 to 128 lower-case letters, digits or . _ -; made from the name when absent. */
            key?: string;
            /** @description Display name; the key when absent. */
            name?: string;
            /** @description The values that rules can give. */
            variations?: components["schemas"]["VariationBody"][];
        };
        CreateInvitationBody: {
            /** @description Whom it is for. An account with another address cannot accept it. */
            email: string;
            /**
             * @description What the person becomes.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
        };
        CreateOverrideBody: {
            /** @description The branch that the user's devices get. */
            branchName: string;
            /** @description Why the override exists. */
            note?: string;
            /** @description As the app names its user in client-user-id. */
            userId: string;
        };
        CreatePolicyBody: {
            /** @description The only channel whose releases it may roll out; any when absent. */
            channel?: string;
            description?: string;
            /** @description Periods in which no stage begins by itself. Thresholds are observed, and people can advance the rollout. */
            freezeWindows?: components["schemas"]["FreezeWindow"][];
            /** @description False keeps new rollouts from using it; true when absent. */
            isActive?: boolean;
            /** @description Display name. */
            name: string;
            /** @description In order. */
            stages: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description When the first stage of its rollouts begins at the earliest; at once when absent.
             */
            startAt?: string;
            /** @description Limits in every stage; no limits when absent. */
            thresholds?: components["schemas"]["Thresholds"];
            /** @description Zone of freezeWindows by its IANA name, such as Europe/Berlin; UTC when absent. */
            timeZone?: string;
        };
        CreateProjectBody: {
            /** @description Display name. */
            name: string;
            /** @description Name in URLs: lower-case letters, digits and hyphens. Made from the name when absent. */
            slug?: string;
        };
        CreateRuleBody: {
            /** @description The only channel that it is for; all when absent. */
            channelName?: string;
            /**
             * Format: int64
             * @description The lowest comes first; after all others when absent.
             */
            priority?: number;
            ruleConfig: components["schemas"]["RuleConfig"];
            /** @enum {string} */
            ruleType: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /** @description The text of a variation's value; percentage rollouts may leave it out. */
            variantValue?: string;
        };
        CreateSegmentBody: {
            conditions: components["schemas"]["SegmentCondition"][];
            description?: string;
            /** @description 1 to 128 lower-case letters, digits or . _ -; made from the name when absent. */
            key?: string;
            /**
             * @description How many of the conditions must hold.
             * @enum {string}
             */
            matchType: "all" | "any";
            /** @description Display name. */
            name: string;
        };
        CreateUpdateBody: {
            /** @description Publish straight to this branch. */
            branchName?: string;
            /**
             * Format: int64
             * @description The build to publish.
             */
            buildId: number;
            /** @description Publish to the branch of this channel. */
            channel?: string;
            /**
             * Format: uuid
             * @description The groupId of the publish of another platform, to publish both together.
             */
            groupId?: string;
            /** @description Devices apply it at once rather than at their next cold start. */
            isCritical?: boolean;
            /** @description False keeps devices from getting it for now; true when absent. */
            isEnabled?: boolean;
            /** @description Feature flags that the release turns on or off while it is out. */
            linkedFlags?: components["schemas"]["FlagLink"][];
            /** @description Release notes. */
            releaseMessage?: string;
            /**
             * Format: double
             * @description Share of devices that get the release; 100 when absent.
             */
            rolloutPercentage?: number;
            /**
             * Format: int64
             * @description Rolls the release out by this policy.
             */
            rolloutPolicyId?: number;
        };
        CreateWebhookBody: {
            description?: string;
            /** @description Names of actions as in the audit log, such as build.published, or * for all. */
            events: string[];
            /**
             * @description standard when absent. slack is for incoming webhooks of Slack, teams for Workflows webhooks of Microsoft Teams.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /** @description False sends it no messages; true when absent. */
            isActive?: boolean;
            /** @description The secret that signs messages; generated when absent. The prefix whsec_ is followed by standard base64; any other text is used as it is. */
            secret?: string;
            /** @description Absolute http or https URL that messages are posted to. */
            url: string;
        };
        DeliveryAttempt: {
            /** Format: date-time */
            at: string;
            /**
             * Format: int64
             * @description Milliseconds until the answer, or until it was given up.
             */
            durationMs: number;
            /** @description Why the attempt failed, if the status does not say it. */
            error: string;
            /** @description How the answer's body began. */
            responseSnippet: string;
            /**
             * Format: int64
             * @description Null when there was no answer.
             */
            responseStatus: number | null;
        };
        DetectionForecast: {
            /**
             * Format: int64
             * @description How many must have reported until the rate is a breach; null for a rate that the thresholds permit, or when there are too few.
             */
            devices: number | null;
            /**
             * Format: double
             * @description Since the first stage began; null for never.
             */
            minutes: number | null;
            /**
             * Format: double
             * @description Percentage of devices that crash.
             */
            rate: number;
        };
        Device: {
            channel: string;
            /**
             * Format: int64
             * @description Sum of the counts of its crash events.
             */
            crashes: number;
            /** @description A hash of it where the project's settings say so. */
            deviceId: string;
            /**
             * Format: int64
             * @description Sum of the counts of its js_error events.
             */
            errors: number;
            /**
             * Format: date-time
             * @description Its first report, null before it.
             */
            firstSeenAt: string | null;
            /**
             * Format: date-time
             * @description Its last report, null before the first.
             */
            lastSeenAt: string | null;
            /**
             * @description This and the next three are of its last report.
             * @enum {string}
             */
            platform: "ios" | "android" | "web";
            runtimeVersion: string;
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
        };
        DeviceDetail: {
            channel: string;
            /**
             * Format: int64
             * @description Sum of the counts of its crash events.
             */
            crashes: number;
            /** @description A hash of it where the project's settings say so. */
            deviceId: string;
            /**
             * Format: int64
             * @description Sum of the counts of its js_error events.
             */
            errors: number;
            /** @description Its last 20 events of the last 30 days, newest first. */
            events: components["schemas"]["TelemetryEvent"][];
            /** @description Releases on which it had an error or a crash, or that failed before their first render. */
            failed: components["schemas"]["FailedRelease"][];
            /**
             * Format: date-time
             * @description Its first report, null before it.
             */
            firstSeenAt: string | null;
            /**
             * Format: date-time
             * @description Its last report, null before the first.
             */
            lastSeenAt: string | null;
            /**
             * @description This and the next three are of its last report.
             * @enum {string}
             */
            platform: "ios" | "android" | "web";
            /** @description What it would be served now, as GET /v1/ota/resolve; null when its channel does not exist, or only the hash of its id is known. */
            resolve: components["schemas"]["Resolution"] | null;
            runtimeVersion: string;
            /** @description What Waft served it, the latest first. */
            served: components["schemas"]["ServedRelease"][];
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
        };
        DownloadDay: {
            /** Format: date */
            date: string;
            /**
             * Format: int64
             * @description Distinct devices among them.
             */
            devices: number;
            /**
             * Format: int64
             * @description A device counts once for each release.
             */
            downloads: number;
        };
        EmergencyStop: {
            active: boolean;
            /** @description Ids of the channels that it paused. */
            channels: number[];
            /** @description Ids of the rollouts that it paused. */
            executions: number[];
            /** @description Empty when the project is not stopped. */
            reason: string;
            /** Format: date-time */
            stoppedAt: string | null;
            /** @description Name of the key or person; empty when the project is not stopped. */
            stoppedBy: string;
        };
        ErrorGroup: {
            /** @description Function and file of the app's own code where it occurs; empty when that is not known. */
            culprit: string;
            /**
             * Format: int64
             * @description Distinct devices that had it in the window; exact while the project has up to 1.5 million errors there and none older than 30 days, otherwise an estimate above 256, to about 1.1 %.
             */
            devices: number;
            errorName: string;
            /**
             * Format: int64
             * @description How often it occurred in the window: the sum of the counts of its events.
             */
            events: number;
            /** @description Names the group within the project; the same in every release. */
            fingerprint: string;
            /**
             * Format: date-time
             * @description Of its lifetime, as lastSeenAt and the updates below.
             */
            firstSeenAt: string;
            /**
             * Format: uuid
             * @description The oldest release that had it; null for the embedded update.
             */
            firstUpdateUuid: string | null;
            /** Format: date-time */
            lastSeenAt: string;
            /**
             * Format: uuid
             * @description The newest release that had it; null for the embedded update.
             */
            lastUpdateUuid: string | null;
            /** @description The message without its numbers and ids, for which there is a #. */
            message: string;
            /** @enum {string} */
            state: "new" | "regressed" | "ongoing";
            /** @description Events in each of the 24 hours that end with the window, oldest first. */
            trend: number[];
            /** @enum {string} */
            type: "js_error" | "crash";
        };
        ErrorGroupDetail: {
            byFlag: components["schemas"]["GroupFlag"][];
            byPlatform: components["schemas"]["GroupPlatform"][];
            /** @description Most events first. */
            byUpdate: components["schemas"]["GroupUpdate"][];
            /** @description Function and file of the app's own code where it occurs; empty when that is not known. */
            culprit: string;
            /**
             * Format: int64
             * @description Distinct devices that had it in the window; exact while the project has up to 1.5 million errors there and none older than 30 days, otherwise an estimate above 256, to about 1.1 %.
             */
            devices: number;
            errorName: string;
            /**
             * Format: int64
             * @description How often it occurred in the window: the sum of the counts of its events.
             */
            events: number;
            /** @description Names the group within the project; the same in every release. */
            fingerprint: string;
            /**
             * Format: date-time
             * @description Of its lifetime, as lastSeenAt and the updates below.
             */
            firstSeenAt: string;
            /**
             * Format: uuid
             * @description The oldest release that had it; null for the embedded update.
             */
            firstUpdateUuid: string | null;
            /** @description The stack of the newest sample. */
            frames: components["schemas"]["StackFrame"][];
            /** Format: date-time */
            lastSeenAt: string;
            /**
             * Format: uuid
             * @description The newest release that had it; null for the embedded update.
             */
            lastUpdateUuid: string | null;
            /** @description The message without its numbers and ids, for which there is a #. */
            message: string;
            /** @description Some of its latest events, newest first, at most 10. */
            samples: components["schemas"]["EventDetail"][];
            /** @enum {string} */
            state: "new" | "regressed" | "ongoing";
            /** @description Events in each of the 24 hours that end with the window, oldest first. */
            trend: number[];
            /** @enum {string} */
            type: "js_error" | "crash";
        };
        EstimateSegmentBody: {
            conditions: components["schemas"]["SegmentCondition"][];
            /**
             * @description How many of the conditions must hold.
             * @enum {string}
             */
            matchType: "all" | "any";
        };
        EvaluatedFlag: {
            /** @enum {string} */
            reason: "RELEASE_OVERRIDE" | "DISABLED" | "TARGETING_MATCH" | "SEGMENT_MATCH" | "SPLIT" | "DEFAULT" | "ERROR";
            /** @description Of the flag's type. */
            value: unknown;
            /** @description Name of the variation with the value; absent when none has it. */
            variant?: string;
        };
        EvaluatedFlags: {
            /** @description By key. */
            flags: {
                [key: string]: components["schemas"]["EvaluatedFlag"];
            };
        };
        EvaluationCount: {
            /** @description By default that of the report. */
            channel?: string | null;
            /** @description The attributes that it was evaluated with. Up to 100 attributes of 16 KiB are recorded, else none. */
            context?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int64
             * @description How often.
             */
            count: number;
            flagKey: string;
            /**
             * Format: date-time
             * @description When the last time was; now when absent.
             */
            lastEvaluatedAt?: string | null;
            /** @description The context that it was evaluated for; by default the targetingKey in context. */
            targetingKey?: string | null;
            /** @description The value, or its text. Required, here or as variationValue. */
            value?: unknown;
            /** @description Another name of value. */
            variationValue?: unknown;
        };
        EvaluationDay: {
            /** Format: int64 */
            count: number;
            /** Format: date */
            date: string;
            value: string;
        };
        EvaluationReport: {
            /** @default default */
            channel?: string | null;
            /** @description The context of all entries that do not name another: targetingKey, kind, name and attributes. */
            context?: {
                [key: string]: unknown;
            } | null;
            evaluations: components["schemas"]["EvaluationCount"][];
            /** @description The project's slug or UUID; with a key in the header Authorization that of the key by default. */
            projectSlug?: string | null;
        };
        EventDetail: {
            channel: string;
            componentStack: string;
            /**
             * Format: int64
             * @description How often it occurred.
             */
            count: number;
            /** @description A hash of it where the project's settings say so. */
            deviceId: string;
            errorName: string;
            /** @description Error group of an error or crash; null for other events. */
            fingerprint: string | null;
            /** @description Flag variations that were active at the time. */
            flagStates: {
                [key: string]: string;
            };
            /** @description The calls of stackTrace, innermost first. */
            frames: components["schemas"]["StackFrame"][];
            /** @description Id of the report and the event's position in it. */
            id: string;
            isFatal: boolean;
            message: string;
            name: string;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /**
             * Format: date-time
             * @description By the clock of the server.
             */
            receivedAt: string;
            runtimeVersion: string;
            stackTrace: string;
            tags: {
                [key: string]: string;
            };
            /** @enum {string} */
            type: "js_error" | "crash" | "custom" | "app_launch";
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
        };
        EventHealth: {
            /**
             * Format: int64
             * @description Devices that count for the limit: all counted devices, or for the direction below those whose time to report the event is over.
             */
            devices: number;
            /** @enum {string} */
            direction: "above" | "below";
            name: string;
            /**
             * Format: double
             * @description Percent of devices that reported the event.
             */
            rate: number;
            /**
             * Format: int64
             * @description Of those, devices that reported the event in time.
             */
            reportedDevices: number;
            /** @description What is compared with the limit, unless the policy's minNetworks is 1. */
            votes: components["schemas"]["EventVotes"];
        };
        EventLimit: {
            /**
             * @description Which side of rate is a breach. above: too many devices report the event within 24 hours of their first report on the release. below: too few do within the minDurationMinutes of the first stage, at most 24 hours; a device counts once that time is over.
             * @enum {string}
             */
            direction: "above" | "below";
            /** @description Name of the custom event, as health reports have it. */
            name: string;
            /**
             * Format: double
             * @description Share of devices that report the event, in percent; below 100 for the direction below.
             */
            rate: number;
        };
        EventLook: {
            /** Format: int64 */
            devices: number;
            /** @enum {string} */
            direction: "above" | "below";
            name: string;
            /**
             * Format: double
             * @description Percent of devices that reported the event.
             */
            rate: number;
            /** Format: int64 */
            reportedDevices: number;
        };
        EventVotes: {
            /**
             * Format: int64
             * @description Allocations (IPv4 /16, IPv6 /32) of these networks; 0 in health from before allocations were counted.
             */
            allocations: number;
            /**
             * Format: int64
             * @description Networks with at least one device that counts.
             */
            networks: number;
            /**
             * Format: double
             * @description Sum of the votes on devices that reported the event, 0 to weight.
             */
            reported: number;
            /**
             * Format: int64
             * @description What the networks weigh together, as in the votes on crashes.
             */
            weight: number;
        };
        ExchangedToken: {
            /** @description The only channels that it may change; null for all. */
            channels: string[] | null;
            /**
             * Format: date-time
             * @description When it stops working.
             */
            expiresAt: string;
            /** @description The API key. It cannot be shown again. */
            key: string;
            /**
             * @description What it may do.
             * @enum {string}
             */
            role: "viewer" | "editor";
        };
        ExchangeTokenBody: {
            /** @description The id token, a JWT of at most 16,384 bytes. */
            idToken: string;
            /** @description Slug of the project. */
            projectSlug: string;
        };
        ExplainBody: {
            /** @description targetingKey, deviceId, channel, platform, runtimeVersion, updateUuid and any attributes, beside them or in an object attributes. */
            context: {
                [key: string]: unknown;
            };
        };
        FailedRelease: {
            /** Format: date-time */
            crashAt: string | null;
            /**
             * Format: date-time
             * @description A js_error or crash.
             */
            errorAt: string | null;
            /**
             * Format: date-time
             * @description When the device said that the release failed before its first render.
             */
            failedAt: string | null;
            /** Format: int64 */
            updateId: number | null;
            /** Format: uuid */
            updateUuid: string | null;
        };
        FieldProblem: {
            /** @description Path of the field. */
            field: string;
            /** @description What is wrong with it. */
            message: string;
        };
        FileUpload: {
            /** @description Whether the whole file is stored, and an upload may name it. */
            complete: boolean;
            /**
             * Format: int64
             * @description How much has arrived; the next part begins there.
             */
            receivedBytes: number;
            /** @description SHA-256 of the file in base64url without padding. */
            sha256: string;
            /**
             * Format: int64
             * @description Size of the whole file.
             */
            sizeBytes: number;
        };
        Flag: {
            /** @description Rollouts that are running or paused of releases that link it. */
            activeRollouts: number[];
            /** Format: date-time */
            createdAt: string;
            /** @description What devices get while the flag is off or no rule matches, of the flag's type. */
            defaultValue: unknown;
            description: string;
            /** @description On channels without an own setting. */
            enabled: boolean;
            /** @description The flag on each channel with own settings, and on the hundred oldest channels. */
            environments: components["schemas"]["FlagEnvironment"][];
            /** @enum {string} */
            flagType: "boolean" | "string" | "number" | "json";
            /** Format: int64 */
            id: number;
            /** @description What devices ask for. */
            key: string;
            name: string;
            /** @description In the order of evaluation; the first that matches wins. */
            rules: components["schemas"]["FlagRule"][];
            /** Format: date-time */
            updatedAt: string;
            variations: components["schemas"]["Variation"][];
        };
        FlagEnvironment: {
            channelName: string;
            /** @description The value's text. */
            defaultValue: string;
            enabled: boolean;
            /** @description Whether defaultValue is the flag's own and follows it. */
            isDefaultInherited: boolean;
            /** @description Whether enabled is the flag's own and follows it. */
            isEnabledInherited: boolean;
        };
        FlagEvaluations: {
            /** @description Oldest day first; only days and values with evaluations. */
            daily: components["schemas"]["EvaluationDay"][];
            flagKey: string;
            /**
             * Format: date-time
             * @description Also before the window; null when it never was.
             */
            lastEvaluatedAt: string | null;
            /** Format: int64 */
            total: number;
            /** @description Those of the flag in their order, then other values. */
            variations: components["schemas"]["VariationEvaluations"][];
        };
        FlagExplanation: {
            /** @description Why the reason is ERROR. */
            detail?: string;
            /** @description Whether the flag is on for the channel. */
            enabled: boolean;
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** @enum {string} */
            flagType: "boolean" | "string" | "number" | "json";
            /** @enum {string} */
            reason: "RELEASE_OVERRIDE" | "DISABLED" | "TARGETING_MATCH" | "SEGMENT_MATCH" | "SPLIT" | "DEFAULT" | "ERROR";
            /** @description Those of the channel, in the order of evaluation, also those after the one that decided. */
            rules: components["schemas"]["RuleExplanation"][];
            /** @description Of the flag's type. */
            value: unknown;
            /** @description Name of the variation with the value; absent when none has it. */
            variant?: string;
        };
        FlagHealth: {
            /**
             * Format: int64
             * @description Devices that errored under the flag.
             */
            affectedDevices: number;
            /**
             * Format: double
             * @description Null without devices.
             */
            crashFreePercentage: number | null;
            /**
             * Format: double
             * @description Percentage of the flag's devices that errored.
             */
            errorRate: number;
            /**
             * Format: double
             * @description The greatest of the variations'.
             */
            errorRateDelta: number;
            flagKey: string;
            /**
             * @description The worst of the variations' and of all devices together.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "incident";
            /** @description Most devices first. */
            variations: components["schemas"]["VariationHealth"][];
        };
        FlagImpact: {
            channel: string;
            /**
             * Format: int64
             * @description Those with a crash under the variation.
             */
            crashedDevices: number;
            /** Format: double */
            crashFreePercentage: number;
            /**
             * Format: int64
             * @description Distinct devices.
             */
            devices: number;
            /**
             * Format: int64
             * @description Those with a js_error or crash under the variation.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of devices that errored.
             */
            errorRate: number;
            /**
             * Format: double
             * @description Percentage points above the flag's other variations on the same release and channel; 0 without any.
             */
            errorRateDelta: number;
            flagKey: string;
            runtimeVersion: string;
            /**
             * Format: int64
             * @description Null for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
            /** @description Value in flagStates of devices. */
            variation: string;
        };
        FlagLink: {
            /** @description Whether devices that run the release have the flag on. */
            enabled: boolean;
            /** Format: int64 */
            flagId: number;
            /** @description The text of the variation that those devices get. Required when a flag that is not boolean is enabled. */
            value?: string;
        };
        FlagRule: {
            /** @description The only channel that it is for, null for all. */
            channelName: string | null;
            /** Format: int64 */
            id: number;
            /**
             * Format: int64
             * @description The lowest comes first.
             */
            priority: number;
            ruleConfig: components["schemas"]["RuleConfig"];
            /** @enum {string} */
            ruleType: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /** @description The text of the variation's value; null for a percentage rollout, whose shares have the values. */
            variantValue: string | null;
        };
        ForgotPasswordBody: {
            /** @description Address of the account. */
            email: string;
        };
        FreezeWindow: {
            /** @description Days on which it begins; every day when absent or empty. */
            days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /** @description Time of day in the policy's time zone, HH:MM. */
            from: string;
            /** @description Time of day; at or before from it is on the next day. */
            to: string;
        };
        Garbage: {
            /**
             * Format: int64
             * @description Distinct files that no other build has.
             */
            blobCount: number;
            /** @description Oldest first. */
            builds: components["schemas"]["GarbageBuild"][];
            /**
             * Format: int64
             * @description Size of these files, with their compressed variants and patches, and of what arrived of the partial ones.
             */
            bytes: number;
            /**
             * Format: int64
             * @description Files that were being uploaded alone and of which nothing has arrived for a day.
             */
            partialFileCount: number;
            /**
             * Format: int64
             * @description Files that are no longer used and that the next cleanup deletes from the asset store.
             */
            pendingBlobs: number;
        };
        GarbageBuild: {
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            message: string;
            /** @enum {string} */
            platform: "ios" | "android";
            runtimeVersion: string;
            /**
             * Format: int64
             * @description Size of all its files, also of those that other builds have.
             */
            sizeBytes: number;
            /** Format: uuid */
            uuid: string;
        };
        GroupFlag: {
            /** Format: int64 */
            devices: number;
            /** Format: int64 */
            events: number;
            flagKey: string;
            variation: string;
        };
        GroupPlatform: {
            /** Format: int64 */
            devices: number;
            /** Format: int64 */
            events: number;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
        };
        GroupUpdate: {
            /** Format: int64 */
            devices: number;
            /** Format: int64 */
            events: number;
            /**
             * Format: int64
             * @description Null for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
        };
        Health: {
            /** Format: date-time */
            checkedAt: string;
            /**
             * Format: int64
             * @description Of those, devices with a crash.
             */
            crashedDevices: number;
            /**
             * Format: double
             * @description Percent of devices with a crash.
             */
            crashRate: number;
            /**
             * Format: int64
             * @description Devices that sent a report with the release, were served it by Waft, and are inside its share.
             */
            devices: number;
            /**
             * Format: int64
             * @description Of those, devices with an error or a crash.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percent of devices with an error or a crash.
             */
            errorRate: number;
            /** @description The custom events that the policy limits. */
            events: components["schemas"]["EventHealth"][];
            /**
             * Format: double
             * @description The e-value of the sequential test against a threshold, without the most affected networks: 1 is no evidence.
             */
            evidence: number;
            /**
             * Format: int64
             * @description Devices that sent a report with the release and are not counted above.
             */
            ignoredDevices: number;
            /** @description The ignored devices by reason. */
            ignoredReasons: components["schemas"]["IgnoredDevices"];
            /** Format: int64 */
            launches: number;
            /** @description What is compared with thresholds, unless the policy's minNetworks is 1. */
            votes: components["schemas"]["Votes"];
        };
        HealthEvent: {
            componentStack?: string;
            /**
             * Format: int64
             * @description How often it occurred.
             */
            count: number;
            errorName?: string;
            /** @description Flag variations that were active at the time. */
            flagStates?: {
                [key: string]: string;
            };
            isFatal?: boolean;
            message?: string;
            /** @description Of a custom event. */
            name?: string;
            stackTrace?: string;
            tags?: {
                [key: string]: string;
            };
            /** @description js_error, crash, custom or app_launch; events of other types are skipped. */
            type: string;
        };
        HealthReport: {
            /** @default default */
            channel?: string;
            /** @description Stable id of the device, the same as in manifest requests. */
            deviceId: string;
            events: components["schemas"]["HealthEvent"][];
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /** @description The project's slug or UUID. */
            projectSlug: string;
            runtimeVersion: string;
            /**
             * Format: uuid
             * @description The running update; null or absent for the one inside the app.
             */
            updateUuid?: string | null;
        };
        HistoryEntry: {
            /** @description What was done, as noun.verb. */
            action: string;
            /** @description Name of the key, or system. */
            actor: string;
            /** Format: date-time */
            createdAt: string;
            /** @description What changed. */
            details: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description Of the entry in the audit log.
             */
            id: number;
        };
        IdentityProvider: {
            /** @description Its name in paths. */
            id: string;
            /** @description Its name for people. */
            name: string;
        };
        IgnoredDevices: {
            /**
             * Format: int64
             * @description Devices that were served the release and are outside its share.
             */
            notInShare: number;
            /**
             * Format: int64
             * @description Devices that Waft never served the release; their reports may be forged.
             */
            notServed: number;
            /**
             * Format: int64
             * @description Devices of which every report exceeded the rate limit (429); a lower bound.
             */
            rateLimited: number;
        };
        Incident: {
            /** Format: date-time */
            acknowledgedAt: string | null;
            /** @description Who looks after it; null for nobody. */
            acknowledgedBy: string | null;
            /**
             * Format: double
             * @description Percentage of the devices of the 24 hours before it opened; 0 without any.
             */
            baselineErrorRate: number;
            channel: string;
            /**
             * Format: date-time
             * @description Time of the last check.
             */
            checkedAt: string;
            /**
             * Format: date-time
             * @description Null while it is open.
             */
            closedAt: string | null;
            /**
             * Format: int64
             * @description Those of them with a crash.
             */
            crashedDevices: number;
            /**
             * Format: int64
             * @description Devices of the hour before checkedAt.
             */
            devices: number;
            /**
             * Format: int64
             * @description Those of them with a js_error or crash.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of the hour's devices.
             */
            errorRate: number;
            /** @description The flag with the variation that has significantly more errors; null for none. */
            flagKey: string | null;
            /** Format: int64 */
            id: number;
            /** @description What is known of it. */
            note: string;
            /** Format: date-time */
            openedAt: string;
            /**
             * Format: int64
             * @description The most erroredDevices so far.
             */
            peakErroredDevices: number;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            runtimeVersion: string;
            /** @enum {string} */
            status: "open" | "closed";
            /**
             * Format: int64
             * @description Null for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
            /** @description That variation. */
            variation: string | null;
        };
        Invitation: {
            /** @description Waft mails the link to the address. */
            byMail: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description Whom it is for. */
            email: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Who made it. */
            invitedBy: string;
            /**
             * @description What the person becomes.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description Time at which the mail server took the mail, null before.
             */
            sentAt: string | null;
        };
        LinkBegun: {
            /** @description Page of the provider, to open in the same browser within 10 minutes. */
            url: string;
        };
        LinkBody: {
            /** @description Path under /app/ to which the browser comes in the end. */
            returnTo?: string;
        };
        LinkedFlag: {
            enabled: boolean;
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** @description The variation's value. */
            value: string;
        };
        LinkedIdentity: {
            /**
             * Format: int64
             * @description Id of the link, for its removal.
             */
            id: number;
            /** @description Issuer of the provider. */
            issuer: string;
            /**
             * Format: date-time
             * @description Time at which the identity was linked.
             */
            linkedAt: string;
            /** @description Name of the provider, or its issuer if it is no longer configured. */
            name: string;
            /** @description Id of the provider, or null if it is no longer configured. */
            provider: string | null;
            /** @description Identifier of the person at the provider. */
            subject: string;
        };
        Liveness: {
            /** @enum {string} */
            status: "ok";
            version: string;
        };
        Login: {
            user: components["schemas"]["User"];
        };
        LogInBody: {
            email: string;
            password: string;
        };
        LoginMethods: {
            /** @description Waft mails a link to people who forgot their passwords. The server needs WAFT_SMTP_URL for it. */
            forgotPassword: boolean;
            /** @description Identity providers, whose login begins at /v1/auth/oidc/{provider}. */
            oidc: components["schemas"]["IdentityProvider"][];
            /** @description With a passkey. The server needs WAFT_BASE_URL for it. */
            passkeys: boolean;
            /** @description With an e-mail address and a password. */
            password: boolean;
            /** @description No account exists yet. */
            setupRequired: boolean;
        };
        Me: {
            /** @description With an API key. */
            apiKey?: components["schemas"]["MyKey"];
            /** @description By slug. */
            projects: components["schemas"]["MyProject"][];
            /** @description With a session. */
            user?: components["schemas"]["User"];
        };
        Member: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** @description The person has proved the address, or the operator vouches for it. Another account may be a stranger's. */
            emailVerified: boolean;
            /** Format: int64 */
            id: number;
            name: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            /**
             * @description Why the person is a member: by an invitation or an admin's change, as an owner of the installation, or by groups of an identity provider, which decide anew at every login.
             * @enum {string}
             */
            source: "invitation" | "owner" | "groups";
            /** Format: int64 */
            userId: number;
        };
        MissingFiles: {
            /** @description The SHA-256 of each file to send, as the request has it, in its order and once. */
            missing: string[];
        };
        MyKey: {
            /** @description The only channels that the key may change; absent for all. */
            channels?: string[];
            name: string;
            /** @description The part of the key that may be shown. */
            prefix: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
        };
        MyProject: {
            name: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            slug: string;
        };
        NamedBuild: {
            /** @description App configuration; also accepted as expoConfig. */
            clientConfig?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description Id of the update inside a binary whose bundle this is.
             */
            embeddedUpdateId?: string;
            /** @description The files of the export, and the source map of its bundle. */
            files: components["schemas"]["NamedFile"][];
            gitBranch?: string;
            gitCommitHash?: string;
            message?: string;
            /** @description Expo's metadata.json, unless it is among the files. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            platform: "ios" | "android";
            /** @description Only devices of exactly this runtime version get the build; also accepted as runtimeFingerprint. */
            runtimeVersion: string;
        };
        NamedFile: {
            /** @description Whether it is the bundle that the app starts, where no other rule says so. */
            isLaunchAsset?: boolean;
            /** @description Path inside the export. */
            path: string;
            /** @description SHA-256 of the file in base64url without padding, or in hex. */
            sha256: string;
        };
        Offer: {
            branchName: string;
            /**
             * Format: double
             * @description Share of the channel's devices that are sent to the branch, 0 to 100.
             */
            branchPercentage: number;
            /**
             * Format: int64
             * @description Null for an order to return to the embedded update.
             */
            buildId: number | null;
            isCritical: boolean;
            isEnabled: boolean;
            /** @enum {string} */
            kind: "update" | "rollback_to_embedded";
            linkedFlags: components["schemas"]["OfferedFlag"][];
            releaseMessage: string;
            /**
             * Format: int64
             * @description The release whose content this one repeats, else null.
             */
            republishedFromId: number | null;
            /**
             * Format: int64
             * @description The rollout that changes the share, else null. Steps of a rollout that was itself approved do not make the approval stale.
             */
            rolloutExecutionId: number | null;
            /**
             * Format: double
             * @description Share of the branch's devices that get the release, 0 to 100.
             */
            rolloutPercentage: number;
            /**
             * Format: int64
             * @description Null for a release that the call creates.
             */
            updateId: number | null;
        };
        OfferChange: {
            /** @description What the channel offers after the call. */
            after: components["schemas"]["Offer"][];
            /** @description What the channel offered before the call. A device is given the first release whose shares hold it. */
            before: components["schemas"]["Offer"][];
            channel: string;
            /** @enum {string} */
            platform: "ios" | "android";
            runtimeVersion: string;
        };
        OfferedFlag: {
            flagKey: string;
            value: string;
        };
        OFREPError: {
            /** @enum {string} */
            errorCode: "FLAG_NOT_FOUND" | "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "GENERAL";
            errorDetails?: string;
            /** @description The flag, when one was asked for. */
            key?: string;
        };
        OFREPFlag: {
            key: string;
            reason: string;
            /** @description Of the flag's type. */
            value: unknown;
            variant?: string;
        };
        OFREPFlags: {
            flags: components["schemas"]["OFREPFlag"][];
        };
        OFREPRequest: {
            /** @description OpenFeature's evaluation context. targetingKey decides shares and user lists; without it deviceId does. channel, platform, runtimeVersion, updateUuid and deviceId are built-in attributes. */
            context?: {
                [key: string]: unknown;
            };
        };
        OrderRulesBody: {
            /** @description Every rule of the flag, the one that decides first first. */
            ruleIds: number[];
        };
        OwnLoginMethods: {
            /** @description Linked identities, oldest first. */
            identities: components["schemas"]["LinkedIdentity"][];
            /** @description Identity providers that the account is linked with. */
            oidc: components["schemas"]["IdentityProvider"][];
            /** @description The account has a passkey for the installation's domain. */
            passkeys: boolean;
            /** @description The account has a password. */
            password: boolean;
        };
        Party: {
            /** @description Id of the user or of the API key; root for the root key. */
            id: string;
            /** @description E-mail address of the user, or name of the key. */
            name: string;
            /** @enum {string} */
            type: "api_key" | "user";
        };
        Passkey: {
            /** @description A login with it was refused, since a copy of it may exist. */
            cloneWarning: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description The domain that it works on: that of the installation's URL when it was made. */
            domain: string;
            /** Format: int64 */
            id: number;
            /**
             * Format: date-time
             * @description When it last signed the person in.
             */
            lastUsedAt: string | null;
            name: string;
        };
        PasskeyLoginBody: {
            /** @description AuthenticationResponseJSON of WebAuthn: what toJSON() of the credential returns. */
            credential: {
                [key: string]: unknown;
            };
        };
        PasskeyOptions: {
            /** @description WebAuthn's PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON. */
            publicKey: {
                [key: string]: unknown;
            };
        };
        PatchChannelBody: {
            /** @description The branch that devices get. */
            branchName?: string;
            /** @description True stops updates for all devices of the channel. */
            isPaused?: boolean;
            /** @description Whether only admins, and others with approval, change what its devices get. For admins. */
            isProtected?: boolean;
            /** @description Devices below it must update in the app store; null for none. */
            minRuntimeVersion?: string | null;
            /**
             * Format: int64
             * @description How many people must approve such a change of a protected channel; from 1 on everybody's changes wait. For admins.
             */
            requiredApprovals?: number;
            /** @description The branch of a share of the devices; null ends the branch rollout. */
            rolloutBranchName?: string | null;
            /**
             * Format: double
             * @description That share.
             */
            rolloutPercentage?: number | null;
        };
        PatchEnvironmentBody: {
            /** @description A string with the text of a value, or the value itself; null follows the flag. */
            defaultValue?: unknown;
            /** @description Whether the flag is on for the channel; null follows the flag. */
            enabled?: boolean | null;
        };
        PatchFlagBody: {
            /** @description A value of the type, or a string with its text. */
            defaultValue?: unknown;
            /** @description Null clears it. */
            description?: string | null;
            /** @description On channels without an own setting. */
            enabled?: boolean;
            name?: string;
            /** @description All variations from now on. */
            variations?: components["schemas"]["VariationBody"][];
        };
        PatchIncidentBody: {
            /** @description True notes the caller as acknowledgedBy, unless somebody is; false takes that back. */
            acknowledged?: boolean;
            /** @description What is known of it; null clears it. */
            note?: string | null;
        };
        PatchMeBody: {
            /** @description The name that others see. */
            name?: string;
        };
        PatchMemberBody: {
            /** @enum {string} */
            role?: "viewer" | "editor" | "admin";
        };
        PatchPasskeyBody: {
            /** @description To tell it from others. */
            name?: string;
        };
        PatchPolicyBody: {
            /** @description The only channel whose releases it may roll out; null for any. */
            channel?: string | null;
            /** @description Null clears it. */
            description?: string | null;
            /** @description They replace all; none when empty. */
            freezeWindows?: components["schemas"]["FreezeWindow"][];
            /** @description False keeps new rollouts from using it. */
            isActive?: boolean;
            /** @description Display name. */
            name?: string;
            /** @description In order; they replace all. */
            stages?: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description When the first stage begins at the earliest; null for at once.
             */
            startAt?: string | null;
            thresholds?: components["schemas"]["PatchThresholds"];
            /** @description Zone of freezeWindows by its IANA name. */
            timeZone?: string;
        };
        PatchRuleBody: {
            /** @description The only channel that it is for; null for all. */
            channelName?: string | null;
            /** Format: int64 */
            priority?: number;
            /** @description The whole configuration from now on. */
            ruleConfig?: components["schemas"]["RuleConfig"];
            /** @enum {string} */
            ruleType?: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /** @description The text of a variation's value; null only for a percentage rollout. */
            variantValue?: string | null;
        };
        PatchSegmentBody: {
            /** @description All conditions from now on. */
            conditions?: components["schemas"]["SegmentCondition"][];
            /** @description Null clears it. */
            description?: string | null;
            /** @enum {string} */
            matchType?: "all" | "any";
            name?: string;
        };
        PatchSettingsBody: {
            /**
             * Format: int64
             * @description Days after its upload until a cleanup deletes a build that no release needs; null for never.
             */
            buildRetentionDays?: number | null;
            /** @description Whether telemetry stores only a keyed hash of device ids. Earlier rows keep the other form, so a device counts twice around the change, and rollouts ignore it on releases that it was served before the change. Cannot be changed while a rollout is open. */
            hashIds?: boolean;
            /**
             * Format: int64
             * @description Days after which the telemetry of single devices is deleted; null for the longest retention.
             */
            telemetryRetentionDays?: number | null;
            /** @description At most 100 networks such as 203.0.113.0/24 or 2001:db8::/48, in place of the ones before. Holds for what devices are served from now on: a device stays in the network that it was first served a release from. */
            trustedNetworks?: string[];
        };
        PatchThresholds: {
            /** @enum {string} */
            action?: "gate" | "auto-rollback";
            /**
             * Format: int64
             * @description Votes that the networks of one allocation have together at most.
             */
            allocationVotes?: number;
            /** @enum {string} */
            baseline?: "limit" | "control";
            /**
             * Format: double
             * @description Highest share of devices with a crash, in percent; null for no limit.
             */
            crashRate?: number | null;
            /**
             * Format: double
             * @description Highest share of devices with an error, in percent; null for no limit.
             */
            errorRate?: number | null;
            /** @description They replace all; none when empty or null. */
            events?: components["schemas"]["EventLimit"][] | null;
            /** @enum {string} */
            method?: "sequential" | "point";
            /**
             * Format: int64
             * @description How many networks must be heard before a rate decides.
             */
            minNetworks?: number;
            /** @enum {string} */
            rollbackScope?: "release" | "graduated";
        };
        PatchUpdateBody: {
            /** @description Devices apply it at once. */
            isCritical?: boolean;
            /** @description Whether devices are served it. */
            isEnabled?: boolean;
            /** @description Replaces all linked feature flags; null removes them. */
            linkedFlags?: components["schemas"]["FlagLink"][] | null;
            /** @description Release notes; null clears them. */
            releaseMessage?: string | null;
            /**
             * Format: double
             * @description Share of devices that get it.
             */
            rolloutPercentage?: number;
        };
        PatchVariationBody: {
            name?: string;
            /** @description The value's text. */
            value?: string;
        };
        PatchWebhookBody: {
            description?: string | null;
            /** @description Names of actions as in the audit log, such as build.published, or * for all. */
            events?: string[];
            /**
             * @description What messages look like, those that wait included.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /** @description False sends it no messages. */
            isActive?: boolean;
            /** @description A new secret, which takes the place of all others at once; see rotate-secret to have one made and the old one sign for another day. */
            secret?: string;
            /** @description Absolute http or https URL that messages are posted to. */
            url?: string;
        };
        PendingApproval: {
            /** @description The call that waits. Nothing has changed yet. */
            approval: components["schemas"]["Approval"];
        };
        PolicyForecast: {
            /**
             * Format: int64
             * @description Devices that reported within 24 hours, on which the forecast is based.
             */
            activeDevices: number;
            /** @description For true rates of 1, 2 and 5 % of crashing devices. */
            detection: components["schemas"]["DetectionForecast"][];
            /**
             * Format: date-time
             * @description When the last stage would end; null when a stage would never have its minimum of devices.
             */
            endsAt: string | null;
            stages: components["schemas"]["StageForecast"][];
        };
        PreviewedChannel: {
            after: components["schemas"]["PreviewedChannelState"];
            before: components["schemas"]["PreviewedChannelState"];
            name: string;
        };
        PreviewedChannelState: {
            isPaused: boolean;
        };
        PreviewedFlag: {
            after: components["schemas"]["LinkedFlag"] | null;
            /** @description What the release sets now, null for nothing. A disabled release sets nothing. */
            before: components["schemas"]["LinkedFlag"] | null;
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /**
             * Format: int64
             * @description The release; null for one that the call would publish.
             */
            updateId: number | null;
        };
        PreviewedRelease: {
            after: components["schemas"]["PreviewedReleaseState"] | null;
            /** @description Null for a release that the call would publish. */
            before: components["schemas"]["PreviewedReleaseState"] | null;
            branchName: string;
            /** @description The channel it was published to, null when straight to a branch. */
            channel: string | null;
            isCritical: boolean;
            /** @enum {string} */
            kind: "update" | "rollback_to_embedded";
            /** @enum {string} */
            platform: "ios" | "android";
            releaseMessage: string;
            /**
             * Format: int64
             * @description The release that it republishes, else null.
             */
            republishedFromId: number | null;
            runtimeVersion: string;
            /**
             * Format: int64
             * @description Null for a release that the call would publish.
             */
            updateId: number | null;
        };
        PreviewedReleaseState: {
            isEnabled: boolean;
            /** Format: double */
            rolloutPercentage: number;
        };
        PreviewedRollout: {
            after: components["schemas"]["PreviewedRolloutState"];
            before: components["schemas"]["PreviewedRolloutState"];
            /** Format: int64 */
            id: number;
            policyName: string;
            /** Format: int64 */
            updateId: number;
        };
        PreviewedRolloutState: {
            /** Format: double */
            percentage: number;
            /**
             * Format: int64
             * @description Counts from 0.
             */
            stageIndex: number;
            /** @enum {string} */
            status: "running" | "paused" | "completed" | "rolled_back" | "cancelled";
        };
        PreviewPolicyBody: {
            /** @description Forecasts for the devices of this channel; of all when absent. */
            channel?: string;
            description?: string;
            /** @description Periods in which no stage begins by itself. */
            freezeWindows?: components["schemas"]["FreezeWindow"][];
            isActive?: boolean;
            /** @description It may be absent here. */
            name?: string;
            /**
             * @description Forecasts for devices of this platform; of all when absent.
             * @enum {string}
             */
            platform?: "ios" | "android";
            /** @description Forecasts for devices of this runtime version; of all when absent. */
            runtimeVersion?: string;
            /** @description In order. */
            stages: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description When the first stage begins at the earliest; at once when absent.
             */
            startAt?: string;
            /** @description Limits in every stage; no limits when absent. */
            thresholds?: components["schemas"]["Thresholds"];
            /** @description Zone of freezeWindows by its IANA name; UTC when absent. */
            timeZone?: string;
        };
        Problem: {
            /** @description Stable code to decide on. */
            code: string;
            /** @description What went wrong this time and what to do about it. */
            detail: string;
            /** @description Every bad field of the input at once. */
            errors?: components["schemas"]["FieldProblem"][];
            /** @description Path of the request. */
            instance: string;
            /** @description X-Request-Id of the request; quote it when you ask for help. */
            requestId: string;
            /**
             * Format: int64
             * @description HTTP status of the answer.
             */
            status: number;
            /** @description What kind of problem it is, the same every time. */
            title: string;
            /** @description URI of the kind of problem; it differs exactly when code differs. */
            type: string;
        };
        Project: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int64
             * @description Number, unique over the whole installation.
             */
            id: number;
            /** @description Display name. */
            name: string;
            /** @description Name in URLs and in X-Project. */
            slug: string;
            /**
             * Format: uuid
             * @description Works wherever the slug does.
             */
            uuid: string;
        };
        ProjectSettings: {
            /**
             * Format: int64
             * @description Days after its upload until a cleanup deletes a build that no release needs; null for never.
             */
            buildRetentionDays: number | null;
            /** @description Telemetry stores only a keyed hash of device ids. */
            hashIds: boolean;
            /**
             * Format: int64
             * @description Days after which the telemetry of single devices (events, reports, downloads) is deleted. Null for the longest retention: events 30 days, a device on a release 180 days, a device on a day 400 days. Counts of devices and events stay.
             */
            telemetryRetentionDays: number | null;
            /** @description Networks in which each device has a vote of its own in the judgement of a rollout, such as that of an office or of a proxy that does not name its clients. Elsewhere all devices of an IPv4 /24 or IPv6 /48 share one vote. */
            trustedNetworks: string[];
        };
        PublishBuildBody: {
            /** @description The channel to publish to. */
            channel: string;
            /**
             * Format: uuid
             * @description The groupId of the publish of another platform, to publish both together.
             */
            groupId?: string;
            /** @description Devices apply it at once rather than at their next cold start. */
            isCritical?: boolean;
            /** @description Feature flags that the release turns on or off while it is out. */
            linkedFlags?: components["schemas"]["FlagLink"][];
            /** @description Release notes. */
            releaseMessage?: string;
            /**
             * Format: double
             * @description Share of devices that get the release; 100 when absent.
             */
            rolloutPercentage?: number;
            /**
             * Format: int64
             * @description Rolls the release out by this policy.
             */
            rolloutPolicyId?: number;
        };
        PutPublisherBody: {
            /** @description The one audience that a token must be for, such as this server's URL. */
            audience: string;
            /** @description The only channels that the keys may change, by name; all when absent. */
            channels?: string[] | null;
            /** @description What a token must say: each claim must be this text. ref, ref_path, build_branch and build_tag may end in *, which stands for any text. The claims must say whose tokens are meant: repository, project_path, organization_slug with pipeline_slug, or sub. */
            claims: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description Ignored, as the id.
             */
            createdAt?: string;
            /**
             * Format: int64
             * @description Ignored, so that an answer can be edited and sent.
             */
            id?: number;
            /** @description OpenID Connect issuer of the CI system, an https URL. */
            issuer: string;
            /**
             * @description What the keys may do.
             * @enum {string}
             */
            role: "viewer" | "editor";
        };
        PutSigningBody: {
            /** @description Its certificate: valid now, key usage digitalSignature, extended key usage codeSigning. Unless it is self-signed, its intermediates follow in order, up to four, each a CA; the root does not. */
            certificatePem: string;
            /** @description As in the app's codeSigningMetadata; main when absent. */
            keyId?: string;
            /** @description RSA key of 2048 to 8192 bits, PKCS#8 or PKCS#1, without a password. */
            privateKeyPem: string;
        };
        ReadyOrNot: {
            /** @enum {string} */
            status: "ready" | "not_ready";
        };
        RecoverWebhookBody: {
            /**
             * Format: date-time
             * @description Messages whose delivery began at this time or later. Deliveries are kept for at least 30 days.
             */
            since: string;
        };
        RefusedRequests: {
            /** @description As the device sends it; empty if it sends none, (other) beyond the cardinality limit. */
            channel: string;
            /**
             * Format: int64
             * @description Distinct devices among the requests with a device id.
             */
            devices: number;
            /** Format: date-time */
            lastSeenAt: string;
            platform: string;
            /**
             * @description no_release: the branch has no release for the platform and runtime version. rate_limited: the device or its address exceeded the rate limit.
             * @enum {string}
             */
            reason: "unknown_channel" | "missing_channel" | "missing_platform" | "missing_runtime_version" | "bad_request" | "no_release" | "rate_limited";
            /** Format: int64 */
            requests: number;
            runtimeVersion: string;
        };
        RepublishBody: {
            /** @description Where to; the channel of the original when absent. */
            channels?: string[];
            /** @description Release notes; the original's when absent. */
            releaseMessage?: string;
        };
        Republished: {
            /**
             * Format: uuid
             * @description Shared by all of them.
             */
            groupId: string;
            /** @description One a channel and platform. */
            updates: components["schemas"]["Update"][];
        };
        ResetPasswordBody: {
            /** @description At least 12 characters. */
            password: string;
            /** @description What follows the # in the mailed link. */
            token: string;
        };
        Resolution: {
            /** @description Null when no branch was resolved. */
            branchName: string | null;
            /** @enum {string} */
            outcome: "update" | "up_to_date" | "no_update" | "rollback_to_embedded" | "store_update_required" | "channel_paused";
            /** @description In their order. */
            steps: components["schemas"]["ResolutionStep"][];
            /**
             * Format: int64
             * @description The release that the resolution led to, null for none.
             */
            updateId: number | null;
            /** @description Update id that the device gets: that of the release, or its newest alias. */
            updateUuid: string | null;
        };
        ResolutionStep: {
            /** @description Why, as a sentence. */
            detail: string;
            outcome: string;
            step: string;
        };
        RevokeAPIKeysBody: {
            /**
             * Format: int64
             * @description Id of the user who made the keys: userId of a member.
             */
            madeBy: number;
        };
        RevokedAPIKeys: {
            /**
             * Format: int64
             * @description Number of keys that were revoked.
             */
            revoked: number;
        };
        RollbackBody: {
            /** @description The channel whose branch is rolled back. */
            channel: string;
            /** @enum {string} */
            platform: "ios" | "android";
            /**
             * Format: int64
             * @description The release to go back to, on the channel's branch; the embedded bundle when absent.
             */
            rollbackToUpdateId?: number;
            /** @description Only devices of this runtime version. */
            runtimeVersion: string;
        };
        RollbackExecutionBody: {
            /**
             * Format: int64
             * @description The linked flag, with the scope flag.
             */
            flagId?: number;
            /** @description Why, for the timeline and the audit log. */
            reason?: string;
            /**
             * @description How much is reverted. With flag the rollout continues: its stage starts again and only later reports count.
             * @enum {string}
             */
            scope: "flag" | "release" | "channel";
        };
        RolloutEvent: {
            /** @description system, or the name of the key that gave a command. */
            actor: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            event: "started" | "stage_advanced" | "paused" | "resumed" | "held" | "completed" | "cancelled" | "rolled_back" | "flags_reverted";
            /** Format: int64 */
            fromStage: number;
            /** @description The observation at that time, null if there was none. */
            health: components["schemas"]["Health"] | null;
            /** Format: double */
            percentage: number;
            reason: string;
            /** Format: int64 */
            toStage: number;
        };
        RolloutExecution: {
            channel: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** Format: uuid */
            groupId: string;
            /** @description The last observation, null before the first. */
            health: components["schemas"]["Health"] | null;
            /** Format: int64 */
            id: number;
            linkedFlags: components["schemas"]["LinkedFlag"][];
            /** Format: date-time */
            pausedAt: string | null;
            /**
             * Format: double
             * @description Share of devices that get the release now.
             */
            percentage: number;
            /** @enum {string} */
            platform: "ios" | "android";
            /**
             * Format: int64
             * @description Null once the policy is deleted.
             */
            policyId: number | null;
            policyName: string;
            /** @description Why the rollout is in this state, as a sentence. */
            reason: string;
            runId: string;
            runtimeVersion: string;
            /** @description The policy's schedule as it was at the start. */
            schedule: components["schemas"]["Schedule"];
            /** Format: int64 */
            stageCount: number;
            /**
             * Format: int64
             * @description Counts from 0.
             */
            stageIndex: number;
            /** @description The policy's stages as they were at the start. */
            stages: components["schemas"]["Stage"][];
            /** Format: date-time */
            stageStartedAt: string;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "running" | "paused" | "completed" | "rolled_back" | "cancelled";
            /** @description The policy's limits as they were at the start. */
            thresholds: components["schemas"]["Thresholds"];
            /** @description What happened, oldest first. */
            timeline: components["schemas"]["RolloutEvent"][];
            /** Format: int64 */
            updateId: number;
            /** Format: uuid */
            updateUuid: string;
            /** @description What the stage waits for, null for nothing. */
            waitingFor: ("duration" | "devices" | "threshold" | "data" | "networks" | "resume") | null;
            /** @description The Temporal workflow that drives it. */
            workflowId: string;
        };
        RolloutLook: {
            /** Format: date-time */
            at: string;
            /** Format: int64 */
            crashedDevices: number;
            /** Format: double */
            crashRate: number;
            /**
             * Format: int64
             * @description This and the next are as in the rollout's health.
             */
            devices: number;
            /** Format: int64 */
            erroredDevices: number;
            /** Format: double */
            errorRate: number;
            /** @description The custom events that the policy limits. */
            events: components["schemas"]["EventLook"][];
            /** Format: double */
            evidence: number;
            /** Format: int64 */
            ignoredDevices: number;
            /**
             * Format: double
             * @description Share of devices that got the release.
             */
            percentage: number;
            /**
             * Format: int64
             * @description Counts from 0.
             */
            stageIndex: number;
        };
        RolloutPolicy: {
            /** @description The only channel whose releases it may roll out, null for any. */
            channel: string | null;
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** @description Periods in which no stage begins by itself. Thresholds are observed, and people can advance the rollout. */
            freezeWindows: components["schemas"]["FreezeWindow"][];
            /** Format: int64 */
            id: number;
            isActive: boolean;
            name: string;
            /** @description Rollouts by it that are running or paused; while there are any it cannot be changed. */
            runningExecutions: number[];
            stages: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description When the first stage begins at the earliest; null for at once.
             */
            startAt: string | null;
            thresholds: components["schemas"]["Thresholds"];
            /** @description Zone of the freeze windows, as the IANA time zone database names it. */
            timeZone: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RotateWebhookBody: {
            /** @description True ends the old secret with this call. False or absent lets it sign for another 24 hours. */
            immediately?: boolean;
        };
        RuleCondition: {
            attribute: string;
            /** @enum {string} */
            operator: "eq" | "neq" | "in" | "not_in" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "before" | "after" | "matches" | "exists" | "not_exists" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            /** @description Of a record: which of its patterns never match, and why. Ignored in a change. */
            problem?: string;
            /** @description None for exists and not_exists. */
            values?: (string | number | boolean)[];
        };
        RuleConfig: {
            /** @description Of an ota_update rule: the branch of the running update. */
            branch?: string;
            /** @description Of a percentage_rollout: the attribute that decides which share holds a context; the targeting key when absent. */
            bucketBy?: string;
            /** @description Of an attribute rule: all must hold. */
            conditions?: components["schemas"]["RuleCondition"][];
            /** @description Of a percentage_rollout: weights add up to 100 at most, the rest falls through to the next rule. */
            rollout?: components["schemas"]["RuleShare"][];
            /** @description Of an ota_update rule; all that are given must hold. */
            runtimeVersion?: components["schemas"]["VersionCondition"];
            /** @description Of a segment rule. */
            segmentKey?: string;
            /**
             * Format: double
             * @description Of an ota_update rule: the running update is not older than this.
             */
            updatedWithinDays?: number;
            /** @description Of an ota_update rule: the running update. */
            updateUuid?: string;
            /** @description Of a user_list: the targeting keys of users. */
            userIds?: string[] | string;
        };
        RuleExplanation: {
            /**
             * Format: int32
             * @description Of a percentage_rollout: the bucket of the context, from 0 to 99999.
             */
            bucket?: number;
            /** @description The only channel that it is for, null for all. */
            channelName: string | null;
            /** @description Of an attribute rule, or of the segment. */
            conditions?: components["schemas"]["ConditionExplanation"][];
            /** @description Whether the flag has its value from this rule. */
            decided: boolean;
            /** @description Why, in a sentence. */
            detail: string;
            matched: boolean;
            /** Format: int64 */
            priority: number;
            /** Format: int64 */
            ruleId: number;
            /** @enum {string} */
            ruleType: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /**
             * Format: int32
             * @description Of a percentage_rollout: the end, exclusive, of the share that has the bucket, else of the last share.
             */
            threshold?: number;
        };
        RuleShare: {
            /** @description The text of the variation's value. */
            variantValue?: string;
            /** Format: int64 */
            variationId?: number;
            /**
             * Format: double
             * @description Percent of contexts.
             */
            weight: number;
        };
        Schedule: {
            /** @description Periods in which no stage begins by itself. Thresholds are observed, and people can advance the rollout. */
            freezeWindows: components["schemas"]["FreezeWindow"][];
            /**
             * Format: date-time
             * @description When the first stage begins at the earliest; null for at once.
             */
            startAt: string | null;
            /** @description Zone of the freeze windows, as the IANA time zone database names it. */
            timeZone: string;
        };
        Segment: {
            conditions: components["schemas"]["SegmentCondition"][];
            /** Format: date-time */
            createdAt: string;
            description: string;
            /**
             * Format: int64
             * @description Number of devices in the segment that reported within seven days; exact up to 256, else an estimate. Null for a segment with conditions on other attributes than platform, channel, runtimeVersion, updateUuid, ota.branch, ota.runtime_version and ota.update_id, for one that takes too many steps, and while telemetry is unavailable.
             */
            estimatedDevices: number | null;
            /** Format: int64 */
            id: number;
            /** @description Name of the segment in rules. */
            key: string;
            /**
             * @description How many of the conditions must hold.
             * @enum {string}
             */
            matchType: "all" | "any";
            name: string;
            /** @description The flag rules that refer to it; while there are any it cannot be deleted. */
            referencedBy: components["schemas"]["SegmentReference"][];
            /** Format: date-time */
            updatedAt: string;
        };
        SegmentCondition: {
            attribute: string;
            /**
             * Format: int64
             * @description In a change: id of the condition that it replaces.
             */
            id?: number;
            /** @enum {string} */
            operator: "eq" | "neq" | "in" | "not_in" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "before" | "after" | "matches" | "exists" | "not_exists" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            /** @description Of a record: which of its patterns never match, and why. Ignored in a change. */
            problem?: string;
            /** @description Empty for exists and not_exists. */
            valuesJson?: (string | number | boolean)[];
        };
        SegmentEstimate: {
            /**
             * Format: int64
             * @description As of a segment: null for conditions that only the app can evaluate, for conditions that take too many steps, and while telemetry is unavailable.
             */
            estimatedDevices: number | null;
        };
        SegmentReference: {
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** Format: int64 */
            ruleId: number;
        };
        ServedRelease: {
            /**
             * Format: date-time
             * @description Its first report on the release, null for none.
             */
            firstSeenAt: string | null;
            /**
             * Format: date-time
             * @description Its last report on the release.
             */
            lastSeenAt: string | null;
            /**
             * Format: date-time
             * @description The first time.
             */
            servedAt: string;
            /** Format: int64 */
            updateId: number | null;
            /** Format: uuid */
            updateUuid: string | null;
        };
        Session: {
            /** @description IP address of the login. */
            address: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the session ends at the latest. It ends after 12 hours without a request that a person caused.
             */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description It is that of this request. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description Time of the last request that a person caused, to the minute. Event streams and requests with Waft-Background: 1 do not count.
             */
            lastSeenAt: string;
            /**
             * @description How it began.
             * @enum {string}
             */
            method: "password" | "oidc" | "passkey" | "setup" | "invitation";
            /** @description Browser of the login, as it names itself. */
            userAgent: string;
        };
        SetUpBody: {
            email: string;
            name: string;
            /** @description At least 12 characters. */
            password: string;
            /** @description What follows the # in the setup link. */
            token: string;
        };
        StackFrame: {
            /**
             * Format: int64
             * @description Begins at 1; 0 where the engine says none. Without a source map, of Hermes bytecode, the address after its first byte.
             */
            column: number;
            /** @description The lines of the source around the line; empty without a source map. */
            context: string[];
            /**
             * Format: int64
             * @description Number of the first line of the context; 0 without one.
             */
            contextLine: number;
            /** @description As the source map names it; without one, as the engine does. Empty in code of the engine itself. */
            file: string;
            /** @description Empty when it is not known. */
            function: string;
            /** @description Whether it is the app's own code, and not that of a library or of the engine. */
            inApp: boolean;
            /**
             * Format: int64
             * @description Begins at 1; 0 where the engine says none.
             */
            line: number;
            /** @description Whether a source map says where it comes from. */
            symbolicated: boolean;
        };
        Stage: {
            /**
             * Format: int64
             * @description Minimum number of devices that sent a report with the release before the stage can end.
             */
            minDevices?: number;
            /**
             * Format: double
             * @description Minimum length of the stage in minutes, without pauses; fractions are allowed.
             */
            minDurationMinutes?: number;
            /**
             * Format: double
             * @description Share of devices that get the release from this stage on; above the stage before.
             */
            percentage: number;
            /** @description Thresholds that replace those of the policy during this stage, field by field. */
            thresholds?: components["schemas"]["Thresholds"];
        };
        StageForecast: {
            /**
             * Format: int64
             * @description Active devices in the share.
             */
            expectedDevices: number;
            /** Format: double */
            percentage: number;
            /**
             * Format: date-time
             * @description Null for never.
             */
            startsAt: string | null;
        };
        StartExecutionBody: {
            /**
             * Format: int64
             * @description The policy to roll out by.
             */
            policyId: number;
            /**
             * Format: int64
             * @description The release to roll out.
             */
            updateId: number;
        };
        StopBody: {
            /** @description Why, for the timeline of rollouts and the audit log. */
            reason: string;
        };
        StreamOverview: {
            channel: string;
            /**
             * Format: double
             * @description Of the devices that reported anything here, percentage without a crash; null without devices, and while telemetry is unavailable.
             */
            crashFreePercentage: number | null;
            /**
             * Format: int64
             * @description Active devices by their last report: each counts once in the project. Null while telemetry is unavailable.
             */
            devices: number | null;
            /** @description These devices by the release that they last reported, most first. Null while telemetry is unavailable. */
            distribution: components["schemas"]["StreamUpdate"][] | null;
            /**
             * Format: double
             * @description Of the same, percentage with an error or a crash, 0 without devices. Null while telemetry is unavailable.
             */
            errorRate: number | null;
            /**
             * Format: int64
             * @description Open incidents.
             */
            incidents: number;
            /** @description Whether the channel is paused. */
            isPaused: boolean;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /**
             * Format: int64
             * @description Distinct devices whose manifest requests were refused; see GET /v1/ota/telemetry/refused for the reasons. Null while telemetry is unavailable.
             */
            refused: number | null;
            /** @description The newest enabled release for every device, null when there is none. */
            release: components["schemas"]["Update"] | null;
            /** @description The rollout that is running or paused, of the newest release when there are several; null for none. */
            rollout: components["schemas"]["RolloutExecution"] | null;
            runtimeVersion: string;
        };
        StreamUpdate: {
            /** Format: int64 */
            devices: number;
            /**
             * Format: double
             * @description Of the stream's devices.
             */
            percentage: number;
            /**
             * Format: int64
             * @description Null for the embedded update, and together with it for updates that are no releases of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Null where updateId is.
             */
            updateUuid: string | null;
        };
        TelemetryEvent: {
            channel: string;
            componentStack: string;
            /**
             * Format: int64
             * @description How often it occurred.
             */
            count: number;
            /** @description A hash of it where the project's settings say so. */
            deviceId: string;
            errorName: string;
            /** @description Error group of an error or crash; null for other events. */
            fingerprint: string | null;
            /** @description Flag variations that were active at the time. */
            flagStates: {
                [key: string]: string;
            };
            /** @description Id of the report and the event's position in it. */
            id: string;
            isFatal: boolean;
            message: string;
            name: string;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /**
             * Format: date-time
             * @description By the clock of the server.
             */
            receivedAt: string;
            runtimeVersion: string;
            stackTrace: string;
            tags: {
                [key: string]: string;
            };
            /** @enum {string} */
            type: "js_error" | "crash" | "custom" | "app_launch";
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
        };
        Thresholds: {
            /**
             * @description What a breach does: hold the stage, or roll back the release. Default: auto-rollback.
             * @enum {string}
             */
            action?: "gate" | "auto-rollback";
            /**
             * Format: int64
             * @description Votes that the networks of one allocation (IPv4 /16, IPv6 /32) have together at most, so that a rented allocation is not thousands of votes. No decision hangs on one allocation. Fewer votes make an attack dearer, and a defect that only one provider has is found later. Default: 20.
             */
            allocationVotes?: number;
            /**
             * @description What rates are compared with. limit: the thresholds. control: the thresholds and the control group, for the metrics with a threshold, or for both metrics if none has one. Default: limit.
             * @enum {string}
             */
            baseline?: "limit" | "control";
            /**
             * Format: double
             * @description Highest share of devices with a crash, in percent.
             */
            crashRate?: number;
            /**
             * Format: double
             * @description Highest share of devices with an error, in percent: 2.0 means 2 %.
             */
            errorRate?: number;
            /** @description Limits of custom events. Those of a stage replace all of the policy's, also when there are none. */
            events?: components["schemas"]["EventLimit"][];
            /**
             * @description How a rate is judged: by a sequential test that is valid at any time, or by its plain value once minDevices is reached. Default: sequential.
             * @enum {string}
             */
            method?: "sequential" | "point";
            /**
             * Format: int64
             * @description How many networks (IPv4 /24, IPv6 /48) must be heard before a rate decides. Each has one vote, and no decision hangs on one. With 1, devices are judged, whatever networks they are in, so one sender of forged reports may decide. Default: 3.
             */
            minNetworks?: number;
            /**
             * @description What an automatic rollback reverts first: the release, or its linked flags. Default: release.
             * @enum {string}
             */
            rollbackScope?: "release" | "graduated";
        };
        Timeseries: {
            /**
             * Format: int64
             * @description Length of a bucket.
             */
            bucketSeconds: number;
            /** @description False when distinct devices are estimated, to about 1.1 %, because there are many. */
            exact: boolean;
            /** @enum {string} */
            period: "1h" | "6h" | "24h" | "7d" | "14d" | "30d" | "90d";
            points: components["schemas"]["TimeseriesPoint"][];
        };
        TimeseriesPoint: {
            /**
             * Format: int64
             * @description Sum of the counts of crash.
             */
            crashes: number;
            /**
             * Format: double
             * @description 100 less crashRate.
             */
            crashFreePercentage: number;
            /**
             * Format: double
             * @description Percentage of devices with a crash.
             */
            crashRate: number;
            /**
             * Format: int64
             * @description Distinct devices that reported anything.
             */
            devices: number;
            /**
             * Format: double
             * @description Percentage of devices with a js_error or crash.
             */
            errorRate: number;
            /**
             * Format: int64
             * @description Sum of the counts of js_error.
             */
            errors: number;
            /**
             * Format: int64
             * @description Sum of the counts of app_launch.
             */
            launches: number;
            /**
             * Format: date-time
             * @description Begin of the bucket.
             */
            time: string;
        };
        TrustedPublisher: {
            /** @description The one audience that a token must be for. */
            audience: string;
            /** @description The only channels that the keys may change, by name; null for all. */
            channels: string[] | null;
            /** @description What a token must say. */
            claims: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            /** @description OpenID Connect issuer of the CI system. */
            issuer: string;
            /**
             * @description What the keys may do.
             * @enum {string}
             */
            role: "viewer" | "editor";
        };
        Update: {
            /** Format: int64 */
            assetCount: number;
            branchName: string;
            /**
             * Format: int64
             * @description Null for a rollback to the embedded bundle.
             */
            buildId: number | null;
            /** @description The channel it was published to, null when straight to a branch. */
            channel: string | null;
            /**
             * Format: date-time
             * @description Commit time of the protocol: strictly increasing over the project's releases.
             */
            createdAt: string;
            gitBranch: string;
            gitCommitHash: string;
            /**
             * Format: uuid
             * @description Shared by the platforms of one publish.
             */
            groupId: string;
            /** Format: int64 */
            id: number;
            /** @description Devices apply it at once rather than at their next cold start. */
            isCritical: boolean;
            /** @description Whether devices are served it. */
            isEnabled: boolean;
            /** @enum {string} */
            kind: "update" | "rollback_to_embedded";
            /** @description Feature flags that the release turns on or off while it is out. */
            linkedFlags: components["schemas"]["LinkedFlag"][];
            /** @enum {string} */
            platform: "ios" | "android";
            releaseMessage: string;
            /**
             * Format: int64
             * @description The release that it republishes, else null.
             */
            republishedFromId: number | null;
            /** @description The releases that it reverts. */
            rolledBackUpdateIds: number[];
            /**
             * Format: int64
             * @description The rollout that is running or paused for it, else null.
             */
            rolloutExecutionId: number | null;
            /**
             * Format: double
             * @description Share of devices that get it, 0 to 100.
             */
            rolloutPercentage: number;
            runtimeVersion: string;
            /** Format: int64 */
            sizeBytes: number;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: int64
             * @description Another name of id.
             */
            updateId: number;
            /**
             * Format: uuid
             * @description Update id of the release.
             */
            updateUuid: string;
        };
        UpdateDay: {
            /** Format: date */
            date: string;
            /** Format: int64 */
            devices: number;
            /**
             * Format: int64
             * @description Null for what is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
        };
        UpdateDevices: {
            branchName: string | null;
            /** @description Where the release was published to, if to a channel. */
            channel: string | null;
            /** Format: int64 */
            devices: number;
            /**
             * Format: double
             * @description Of the active devices.
             */
            percentage: number;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            runtimeVersion: string;
            /**
             * Format: int64
             * @description Null for the embedded update, and for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Null for the embedded update.
             */
            updateUuid: string | null;
        };
        UpdatePatch: {
            /**
             * Format: int64
             * @description The release whose bundle it starts from; null for an update inside a binary.
             */
            baseUpdateId: number | null;
            /**
             * Format: uuid
             * @description The update whose bundle it starts from. Devices that run another one with the same bundle get it as well.
             */
            baseUpdateUuid: string;
            /**
             * Format: int64
             * @description Of the smallest form in which the whole bundle is downloaded.
             */
            compressedBytes: number;
            /**
             * Format: int64
             * @description How long it took to make and to check.
             */
            durationMs: number;
            /**
             * Format: int64
             * @description Of the release's bundle.
             */
            fullBytes: number;
            /** @description Why it is skipped. */
            reason: string;
            /**
             * Format: int64
             * @description Of the patch; 0 when none was made.
             */
            sizeBytes: number;
            /**
             * @description Pending while it is being made; devices get the whole bundle unless it is offered.
             * @enum {string}
             */
            status: "pending" | "offered" | "skipped";
        };
        User: {
            email: string;
            /** Format: int64 */
            id: number;
            /** @description An owner is an admin of every project. */
            isOwner: boolean;
            name: string;
        };
        UserOverride: {
            /** @description The branch that the user's devices get. */
            branchName: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            note: string;
            /** @description As the app names its user. */
            userId: string;
        };
        Variation: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description The value's text: true, 42, {"a":1}. */
            value: string;
        };
        VariationBody: {
            /**
             * Format: int64
             * @description In a change: id of the variation that it replaces; by default the one with the same value, else with the same name.
             */
            id?: number;
            name: string;
            /** @description The value's text. */
            value: string;
        };
        VariationEvaluations: {
            /** Format: int64 */
            count: number;
            /** @description Name of the variation; empty for any other value. */
            name: string;
            /**
             * Format: double
             * @description Of the total.
             */
            percentage: number;
            /** @description Text of the value; (other) for all that are not a variation of the flag. */
            value: string;
        };
        VariationHealth: {
            channel: string;
            /** Format: double */
            crashFreePercentage: number;
            /** Format: int64 */
            devices: number;
            /** Format: double */
            errorRate: number;
            /**
             * Format: double
             * @description Percentage points above the flag's other variations on the channel; 0 without any.
             */
            errorRateDelta: number;
            /** @description Name of the variation; empty for a value that is not a variation of the flag. */
            name: string;
            /**
             * @description incident: fewer than 99 % of devices are crash-free, with evidence. degraded: fewer than 99.5 % are, or significantly more of them err than under the other variations.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "incident";
            /** @description Value in flagStates of devices. */
            variation: string;
        };
        Verdict: {
            /** @description For the others, and for the audit log. */
            comment?: string;
        };
        VersionCondition: {
            /** @enum {string} */
            operator: "gte" | "gt" | "lte" | "lt" | "eq";
            value: string;
        };
        Votes: {
            /**
             * Format: int64
             * @description Allocations (IPv4 /16, IPv6 /32) of these networks; 0 in health from before allocations were counted.
             */
            allocations: number;
            /**
             * Format: double
             * @description Sum of the votes on crashes, 0 to weight.
             */
            crashed: number;
            /**
             * Format: double
             * @description Sum of the votes on errors, 0 to weight.
             */
            errored: number;
            /**
             * Format: int64
             * @description Networks with at least one counted device.
             */
            networks: number;
            /**
             * Format: int64
             * @description What the networks weigh together. Each network weighs 1, but the networks of one allocation at most the policy's allocationVotes together.
             */
            weight: number;
        };
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** @description Why Waft disabled it; empty when it did not. */
            disabledReason: string;
            /** @description Names of actions as in the audit log, or * for all. */
            events: string[];
            /**
             * Format: date-time
             * @description Time of the first failed attempt since the last success; null if none failed. After five days of failures the webhook is disabled.
             */
            failingSince: string | null;
            /**
             * @description What messages look like.
             * @enum {string}
             */
            format: "standard" | "slack" | "teams";
            /** Format: int64 */
            id: number;
            /** @description Whether it gets messages. */
            isActive: boolean;
            /** @description The newest one, null before the first. */
            lastDelivery: components["schemas"]["WebhookDelivery"] | null;
            /**
             * Format: date-time
             * @description Until when the secret before the last rotation signs too; null when only one does.
             */
            oldSecretUntil: string | null;
            /** @description The end of the secret, to recognise it. */
            secretHint: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Where messages are posted to; with … in place of secrets for those who are not admins. */
            url: string;
        };
        WebhookDelivery: {
            /** @description Oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            createdAt: string;
            /** @description The action, or webhook.test. */
            event: string;
            /** Format: int64 */
            id: number;
            /** @description The header webhook-id, the same in every attempt and when it is sent again. */
            messageId: string;
            /**
             * Format: date-time
             * @description Null when no attempt follows.
             */
            nextAttemptAt: string | null;
            /**
             * Format: int64
             * @description The delivery whose message it sends again, null for the first.
             */
            redeliveryOf: number | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description The Temporal workflow that sends it. */
            workflowId: string;
        };
        WebhookEvent: {
            /** @description When it is sent. */
            description: string;
            /** @description Kind of record that it is about. */
            entityType: string;
            /** @description The action, as in the audit log. */
            event: string;
            /** @description Whether a webhook can subscribe to it; false for webhook.test. */
            subscribable: boolean;
        };
        WebhookMessage: {
            data: components["schemas"]["WebhookMessageData"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The event. */
            type: string;
        };
        WebhookMessageData: {
            action: string;
            actorId: string;
            actorName: string;
            /** @enum {string} */
            actorType: "api_key" | "user" | "system";
            /** Format: date-time */
            createdAt: string;
            /** @description What changed. */
            details: {
                [key: string]: unknown;
            };
            /** @description Its id. */
            entityId: string;
            /** @description Kind of record that was changed. */
            entityType: string;
            /**
             * Format: int64
             * @description Grows from message to message.
             */
            id: number;
            /** @description Details that would make the message too large; ["*"] for all. */
            omittedDetails?: string[];
            projectSlug: string;
            /** @description X-Request-Id of the call, empty for what Waft did by itself. */
            requestId: string;
        };
        WebhookRecovery: {
            /**
             * Format: int64
             * @description Messages that are sent again.
             */
            redelivered: number;
            /**
             * Format: int64
             * @description Messages that failed too and are not sent again yet: call again for them.
             */
            remaining: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    deleteIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogInBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getLoginMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginMethods"];
                };
            };
        };
    };
    getOwnLoginMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnLoginMethods"];
                };
            };
        };
    };
    beginOidc: {
        parameters: {
            query?: {
                /** @description Path under /app/ to come to in the end. */
                returnTo?: string;
            };
            header?: never;
            path: {
                /** @description Id of the identity provider. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the provider. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finishOidc: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
            };
            header?: never;
            path: {
                /** @description Id of the identity provider. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To where the login was begun for. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the identity provider. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkBegun"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"][];
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchPasskeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    beginPasskeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    finishPasskeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyLoginBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    beginPasskeyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    finishPasskeyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgotPasswordBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordBody"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExchangeTokenBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangedToken"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    patchMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchMeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
                /** @description Id of a user: only the keys that this user made. */
                madeBy?: number;
                /** @description The working keys of trusted publishers, in place of the others. */
                shortLived?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["APIKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAPIKeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAPIKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    revokeApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeAPIKeysBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedAPIKeys"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
                /** @description Only approvals with this status. */
                status?: "pending" | "approved" | "carried_out" | "stale" | "failed" | "rejected" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalSummary"][];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approve: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Verdict"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    rejectApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Verdict"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    withdrawApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    getAsset: {
        parameters: {
            query: {
                /** @description Slug or UUID of the project. */
                project: string;
            };
            header?: never;
            path: {
                /** @description MD5 of the file in lower-case hex. */
                md5: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested part of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A patch in the format of bsdiff 4 from the launch asset that the device runs. For requests for a launch asset with `A-IM: bsdiff` and `Expo-Current-Update-ID`; the answer has `IM: bsdiff` and the id in `Expo-Base-Update-ID`. */
            226: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The bucket has the file at Location, for some minutes. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client has the current file. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    headAsset: {
        parameters: {
            query: {
                /** @description Slug or UUID of the project. */
                project: string;
            };
            header?: never;
            path: {
                /** @description MD5 of the file in lower-case hex. */
                md5: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file is there. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Only this action. */
                action?: string;
                /** @description Only changes by the actor with this actorId or actorName. */
                actor?: string;
                /** @description Only entries with a lower id than this one. */
                before?: number;
                /** @description Only changes of the record with this id. */
                entity_id?: string;
                /** @description Only changes of this kind of record. */
                entity_type?: string;
                /** @description Only changes at this time or later. */
                from?: string;
                /** @description Most entries to answer. */
                limit?: number;
                /** @description Only changes before this time. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"][];
                };
            };
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                /** @description Only this action. */
                action?: string;
                /** @description Only changes by the actor with this actorId or actorName. */
                actor?: string;
                /** @description Only changes of the record with this id. */
                entity_id?: string;
                /** @description Only changes of this kind of record. */
                entity_type?: string;
                /** @description One JSON object a line, or CSV with a header. */
                format?: "jsonl" | "csv";
                /** @description Only changes at this time or later. */
                from?: string;
                /** @description Only changes before this time. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    listBranches: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Branch"][];
                };
            };
        };
    };
    createBranch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBranchBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Branch"];
                };
            };
        };
    };
    deleteBranch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name of the record; write a slash in it as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listBuilds: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"][];
                };
            };
        };
    };
    uploadBuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedBuild"];
                "multipart/form-data": components["schemas"]["BuildForm"];
            };
        };
        responses: {
            /** @description The build. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"];
                };
            };
        };
    };
    deleteBuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or uuid of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    publishBuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id or uuid of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishBuildBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    putSourceMap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or uuid of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The build. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"];
                };
            };
        };
    };
    checkFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckFilesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingFiles"];
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the whole file in base64url without padding, or in hex. */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The part is stored, or the whole file was there already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileUpload"];
                };
            };
            /** @description The whole file is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileUpload"];
                };
            };
        };
    };
    headFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the whole file in base64url without padding, or in hex. */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Some of it has arrived. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"][];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChannelBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the record; write a slash in it as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name of the record; write a slash in it as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name of the record; write a slash in it as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchChannelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name of the record; write a slash in it as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchChannelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    getCodeSigning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSigning"];
                };
            };
        };
    };
    putCodeSigning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSigningBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSigning"];
                };
            };
        };
    };
    deleteCodeSigning: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listContexts: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Only contexts of this kind. */
                kind?: "user" | "device" | "organization" | "service" | "environment";
                /** @description Most records to answer. */
                limit?: number;
                /** @description Only contexts with this text in their key, name or the value of an attribute, ignoring case. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"][];
                };
            };
        };
    };
    createContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContextBody"];
            };
        };
        responses: {
            /** @description The existing context after the merge. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
        };
    };
    getContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
        };
    };
    deleteContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listContextKinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: {
                /** @description Only devices whose last report was on this channel. */
                channel?: string;
                /** @description End of the previous page, from its Link header. */
                cursor?: string;
                /** @description Most devices to answer. */
                limit?: number;
                /** @description Only devices with this text in their id, ignoring case. Where ids are hashed: the hash, or the whole id. */
                search?: string;
                /** @description Only devices whose last report was of this release. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"][];
                };
            };
        };
    };
    getDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the device sends it, in any case, or as lists show it. */
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceDetail"];
                };
            };
        };
    };
    eraseDeviceData: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description As the device sends it, in any case. */
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data will be deleted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The data is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getEmergencyStop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmergencyStop"];
                };
            };
        };
    };
    stopProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmergencyStop"];
                };
            };
        };
    };
    resumeProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewStopProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    previewResumeProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    getFlagDefinitions: {
        parameters: {
            query?: {
                /** @description The device's channel. */
                channel?: string;
            };
            header?: never;
            path: {
                /** @description Slug or UUID of the project. */
                projectSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The flags. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        disabledFlags: {
                            [key: string]: unknown;
                        }[];
                        flags: {
                            [key: string]: unknown;
                        }[];
                        updates: {
                            [key: string]: unknown;
                        }[];
                        /** @description Differs exactly when the flags do. */
                        version: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has the current definitions. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    reportFlagEvaluations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationReport"];
            };
        };
        responses: {
            /** @description They are durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    evaluateFlags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkEvaluation"];
            };
        };
        responses: {
            /** @description The flags by their keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluatedFlags"];
                };
            };
        };
    };
    streamFlags: {
        parameters: {
            query?: {
                /** @description The device's channel. */
                channel?: string;
                /** @description true to be told only that the definitions changed. */
                definitions?: string;
                /** @description Stable id of the device; required unless definitions is true. */
                deviceId?: string;
                /** @description ios, android or web. */
                platform?: string;
                /** @description Runtime version of the app. */
                runtimeVersion?: string;
                /** @description Decides shares and user lists; the deviceId when absent or empty. */
                targetingKey?: string;
                /** @description The running update. */
                updateId?: string;
            };
            header?: never;
            path: {
                /** @description Slug or UUID of the project. */
                projectSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listFlags: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
                /** @description With a word that begins with each word of this, in its key, name, description or id. */
                search?: string;
                /** @description incident and degraded: the status of its health over 7 days. stale: it is older than 30 days, and nobody evaluated it for 30 days. */
                state?: "stale" | "incident" | "degraded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"][];
                };
            };
        };
    };
    createFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFlagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    getFlag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
        };
    };
    deleteFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    copyFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CopyFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    patchFlagEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description The channel; write a slash in its name as %2F. */
                channelName: string;
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchEnvironmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagEnvironment"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    getFlagEvaluations: {
        parameters: {
            query?: {
                /** @description Days of the window, today included. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagEvaluations"];
                };
            };
        };
    };
    explainFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagExplanation"];
                };
            };
        };
    };
    getFlagHealth: {
        parameters: {
            query?: {
                /** @description Days of the window, today included. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagHealth"];
                };
            };
        };
    };
    createFlagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRuleBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagRule"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    deleteFlagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
                /** @description Id of the rule. */
                ruleId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchFlagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
                /** @description Id of the rule. */
                ruleId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchRuleBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagRule"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    orderFlagRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRulesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    patchVariation: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
                /** @description Id of the variation. */
                variationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchVariationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variation"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    explainFlags: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagExplanation"][];
                };
            };
        };
    };
    previewGarbage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Garbage"];
                };
            };
        };
    };
    collectGarbage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Garbage"];
                };
            };
        };
    };
    reportHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the report among those of its device, at most 255 characters. Of several with the same name only the first counts. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HealthReport"];
            };
        };
        responses: {
            /** @description The report is durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAdoption: {
        parameters: {
            query?: {
                /** @description Days of the window, today included. */
                days?: 7 | 14 | 30 | 90;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adoption"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getManifest: {
        parameters: {
            query?: {
                /** @description Channel, for clients that cannot send its header. */
                channel?: string;
            };
            header?: never;
            path: {
                /** @description Slug or UUID of the project. */
                projectSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A manifest, or a directive: roll back to the embedded update, or no update. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/expo+json": {
                        [key: string]: unknown;
                    };
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "multipart/mixed": string;
                };
            };
            /** @description No update, for clients that do not accept multipart. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchMemberBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    listObservedEvents: {
        parameters: {
            query?: {
                /** @description Only events on this channel. */
                channel?: string;
                /** @description End of the previous page, from its Link header. */
                cursor?: string;
                /** @description Only events of this device. */
                deviceId?: string;
                /** @description Number of the page, counted from the cursor where there is one. */
                page?: number;
                /** @description Only events of this platform. */
                platform?: "ios" | "android" | "web";
                /** @description Only events with this text in their message, name or error name, ignoring case. */
                search?: string;
                /** @description Only events of this type. */
                type?: "js_error" | "crash" | "custom";
                /** @description Only events of devices on this release. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryEvent"][];
                };
            };
        };
    };
    getObservedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
        };
    };
    listErrorGroups: {
        parameters: {
            query?: {
                /** @description Only events on this channel. */
                channel?: string;
                /** @description End of the previous page, from its Link header. */
                cursor?: string;
                /** @description Begin of the window; a day before its end when absent. */
                from?: string;
                /** @description Most groups to answer. */
                limit?: number;
                /** @description Only events of this platform. */
                platform?: "ios" | "android" | "web";
                /** @description Only groups with this text in their error name, message or culprit, ignoring case. */
                search?: string;
                /** @description What comes first: the group with the most devices or events, or the one seen last or first seen last. */
                sort?: "devices" | "events" | "last" | "first";
                /** @description Only groups in this state. */
                state?: "new" | "regressed" | "ongoing";
                /** @description End of the window; now when absent. */
                to?: string;
                /** @description Only groups of this type. */
                type?: "js_error" | "crash";
                /** @description Only events of devices on this release. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroup"][];
                };
            };
        };
    };
    getErrorGroup: {
        parameters: {
            query?: {
                /** @description Begin of the window; a day before its end when absent. */
                from?: string;
                /** @description End of the window; now when absent. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Fingerprint of the group. */
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroupDetail"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamOverview"][];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"][];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Slug or UUID of the project. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resolve: {
        parameters: {
            query: {
                /** @description Answers as if the release updateId stood at this share. */
                atPercentage?: number;
                /** @description The device's channel. */
                channel: string;
                /** @description Update id that the device runs. */
                currentUpdateUuid?: string;
                /** @description Decides which shares include the device; without an id, only those of 100 %. */
                deviceId?: string;
                platform: "ios" | "android";
                runtimeVersion: string;
                /** @description The release that atPercentage is for. */
                updateId?: number;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolution"];
                };
            };
        };
    };
    rollBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewRollBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listRolloutExecutions: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Only rollouts of releases that were published to this channel. */
                channel?: string;
                /** @description Most records to answer. */
                limit?: number;
                /** @description Only rollouts by this policy. */
                policyId?: number;
                /** @description Only rollouts of this status. */
                status?: "running" | "paused" | "completed" | "rolled_back" | "cancelled";
                /** @description Only rollouts of this release. */
                updateId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"][];
                };
            };
        };
    };
    startRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartExecutionBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    getRolloutExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    advanceRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewAdvanceRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    cancelRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    previewCancelRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listRolloutLooks: {
        parameters: {
            query?: {
                /** @description Most observations to answer. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutLook"][];
                };
            };
        };
    };
    pauseRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    previewPauseRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    resumeRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewResumeRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    rollbackRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackExecutionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    previewRollbackRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackExecutionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    streamRolloutExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the rollout, or its workflowId; write a slash in that as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listRolloutPolicies: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"][];
                };
            };
        };
    };
    createRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePolicyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"];
                };
            };
        };
    };
    getRolloutPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"];
                };
            };
        };
    };
    deleteRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchPolicyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"];
                };
            };
        };
    };
    previewRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewPolicyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyForecast"];
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"][];
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSegmentBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchSegmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    estimateSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateSegmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentEstimate"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSettings"];
                };
            };
        };
    };
    patchSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchSettingsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSettings"];
                };
            };
        };
    };
    streamProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listTelemetryEvents: {
        parameters: {
            query?: {
                /** @description Only events on this channel. */
                channel?: string;
                /** @description End of the previous page, from its Link header. */
                cursor?: string;
                /** @description Only events of this device. */
                deviceId?: string;
                /** @description Most events to answer. */
                limit?: number;
                /** @description Only events of this platform. */
                platform?: "ios" | "android" | "web";
                /** @description Only events with this text in their message, name or error name, ignoring case. */
                search?: string;
                /** @description Only events of this type. */
                type?: "js_error" | "crash" | "custom" | "app_launch";
                /** @description Only events of devices on this release. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryEvent"][];
                };
            };
        };
    };
    listFlagImpacts: {
        parameters: {
            query?: {
                /** @description Only devices on this channel. */
                channel?: string;
                /** @description Days of the window, today included. */
                days?: number;
                /** @description Only this flag. */
                flagKey?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagImpact"][];
                };
            };
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
                /** @description Only incidents of this status. */
                status?: "open" | "closed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"][];
                };
            };
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    patchIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchIncidentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    listRefused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedRequests"][];
                };
            };
        };
    };
    getTimeseries: {
        parameters: {
            query?: {
                /** @description Only devices on this channel. */
                channel?: string;
                /** @description Length of the period. */
                period?: "1h" | "6h" | "24h" | "7d" | "14d" | "30d" | "90d";
                /** @description Only devices of this platform. */
                platform?: "ios" | "android" | "web";
                /** @description Only devices of this runtime version. */
                runtimeVersion?: string;
                /** @description Only devices on this release. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeseries"];
                };
            };
        };
    };
    listTrustedPublishers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedPublisher"][];
                };
            };
        };
    };
    putTrustedPublishers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutPublisherBody"][];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedPublisher"][];
                };
            };
        };
    };
    listUpdates: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description On this branch. */
                branch?: string;
                /** @description Published to this channel. */
                channel?: string;
                /** @description Of this publish. */
                groupId?: string;
                /** @description Enabled or not. */
                isEnabled?: "true" | "false";
                /** @description Most records to answer. */
                limit?: number;
                /** @description Of this platform. */
                platform?: "ios" | "android";
                /** @description Of this runtime version. */
                runtimeVersion?: string;
                /** @description With a word that begins with each word of this, in its message, id, updateUuid, gitCommitHash or gitBranch. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"][];
                };
            };
        };
    };
    createUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUpdateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    getUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
        };
    };
    deleteUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchUpdateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    listUpdateHistory: {
        parameters: {
            query?: {
                /** @description Only entries with a higher id than this one; the Link header of a page has it for the next. */
                after?: number;
                /** @description Only entries with a lower id than this one. */
                before?: number;
                /** @description Most entries to answer. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Id or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntry"][];
                };
            };
        };
    };
    listUpdatePatches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatePatch"][];
                };
            };
        };
    };
    republishUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RepublishBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Republished"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    listUserOverrides: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOverride"][];
                };
            };
        };
    };
    createUserOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOverrideBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOverride"];
                };
            };
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    deleteUserOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals. Nothing has changed. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Most records to answer. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas: the request is refused with precondition_failed when the record has another one by now. * is any. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only records with a lower id than this one; the Link header of a page has it for the next. */
                before?: number;
                /** @description Only deliveries of this event. */
                event?: string;
                /** @description Most records to answer. */
                limit?: number;
                /** @description Only deliveries of this status. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the delivery whose message is sent. */
                deliveryId: number;
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again: within 24 hours the same key, path and body get the first answer, with Idempotency-Replayed: true. Another body is idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Id of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"][];
                };
            };
        };
    };
}
